import { connect, type Socket } from 'node:net'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import { defineOperation } from '../../src/operations/handler.js'
import { operations } from '../../src/operations/index.js'
import type { Server } from '../../src/server/create-server.js'
import { until } from '../binary.js'
import { lastExchange, requestOf } from '../helper.js'
import { listening } from '../wire.js'
import { bytes, CRLF, form, raw } from './forms.js'

const covered = async ({ app }: Server): Promise<number> => (await app.inject('/__admin/coverage')).json().covered

/** How a client leaves. */
const ways = { reset: 'resetAndDestroy', abort: 'destroy' } as const

const takers = (contracts as readonly Contract[]).filter(({ method }) => method !== 'GET')

t.test('a body that is cut off is refused as one that cannot be read, and recorded as it was answered', async (t) => {
  const { server, exchange } = await listening(t)
  for (const contract of takers) {
    for (const chunked of [false, true]) {
      const [head, body] = raw(form, { contract, chunked })
      for (const kept of [0, 30, 500, body.length - 10, body.length - 1]) {
        const answer = await exchange([bytes(head, body.subarray(0, kept))], { end: true })
        const label = `${contract.id}, ${kept} bytes of a${chunked ? ' chunked' : ''} body`
        const words = chunked ? 'cut off before its last chunk' : `cut off: ${kept} of its ${body.length} bytes arrived`
        t.match(
          [answer.status, answer.headers['content-type'], JSON.parse(answer.body)],
          [contract.invalid, /^application\/json/, { error: { code: contract.invalid, message: words } }],
          `${label}: the answer is ${contract.invalid} in the envelope of the API`,
        )
        t.equal(answer.headers.connection, 'close', `${label}: the connection is closed`)
        t.match(
          lastExchange(server),
          {
            status: contract.invalid,
            outcome: null,
            violations: [{ code: 'cut-off-body', message: words, where: 'body', fix: /.{10}/ }],
          },
          `${label}: the journal records what was answered`,
        )
      }
    }
  }
  t.equal((await exchange(raw(form))).status, 200, 'a whole request is answered afterwards')
  t.equal([...server.worlds.root.state.collection('signatures').all()].length, 1, 'only the whole request is stored')
})

t.test('a token is asked for before the body is read, cut off or not', async (t) => {
  const { server, exchange } = await listening(t)
  const [head, body] = raw(form, { token: 'nobody' })
  const answer = await exchange([bytes(head, body.subarray(0, 100))], { end: true })
  t.equal(answer.status, 401, 'the answer is 401')
  t.match(lastExchange(server), { status: 401 }, 'the journal records it')
})

t.test('a client that leaves in the middle of a body has met no outcome', async (t) => {
  const { server, port } = await listening(t)
  for (const contract of [uploadSignature, createSigningLink] as readonly Contract[]) {
    for (const chunked of [false, true]) {
      for (const [way, leave] of Object.entries(ways)) {
        const [head, body] = raw(form, { contract, chunked })
        const { total } = server.worlds.root.journal
        const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
        socket.write(bytes(head, body.subarray(0, 500)))
        await until(() => server.worlds.root.journal.total > total)
        socket[leave]()
        await until(() => lastExchange(server).duration !== null)
        const label = `${contract.id}, ${way} of a${chunked ? ' chunked' : ''} body`
        t.match(
          lastExchange(server),
          way === 'reset'
            ? { status: null, outcome: null, violations: [], why: /connection ended before/ }
            : { outcome: null, why: /cut off/ },
          `${label}: the journal records no outcome`,
        )
      }
    }
  }
  t.equal(await covered(server), 0, 'nothing is covered')
  t.same([...server.worlds.root.state.collection('signatures').all()], [], 'nothing is stored')
})

t.test('a client that leaves before its answer has met no outcome', async (t) => {
  let connection: Socket | undefined
  const patient = operations.map((operation) =>
    defineOperation(operation.contract, async (call, reply) => {
      await until(() => connection?.writable === false)
      return operation.handler(call, reply)
    }),
  )
  const { server, port } = await listening(t, {}, { operations: patient })
  server.app.server.on('connection', (socket: Socket) => {
    connection = socket
  })
  const { journal } = server.worlds.root
  for (const [way, leave] of Object.entries(ways)) {
    const { total } = journal
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
    socket.write(bytes(...raw(form)))
    await until(() => journal.total > total)
    socket[leave]()
    await until(() => lastExchange(server).duration !== null)
    t.match(
      lastExchange(server),
      { status: null, outcome: null, why: 'the connection ended before the answer' },
      `${way}: the journal records no answer`,
    )
  }
  t.equal(await covered(server), 0, 'nothing is covered')
})

t.test('an admin call that is cut off is refused', async (t) => {
  const { server, exchange } = await listening(t)
  const head = `PUT /__admin/clock HTTP/1.1${CRLF}Host: localhost${CRLF}`
  for (const start of [
    `${head}Content-Length: 50${CRLF}${CRLF}{`,
    `${head}Transfer-Encoding: chunked${CRLF}${CRLF}1${CRLF}{`,
  ]) {
    const answer = await exchange([start], { end: true })
    t.match(
      [answer.status, JSON.parse(answer.body)],
      [400, { code: 'bad-request', detail: 'cut off' }],
      'the problem says that the body was cut off',
    )
  }
  t.equal(server.worlds.root.clock.frozen, false, 'nothing is set')
})

t.test('an answer that was given before a broken body stands, and nothing else follows it', async (t) => {
  const { server, port } = await listening(t)
  const [head] = raw(form, { token: 'nobody' })
  const { url } = requestOf(contracts[4] as Contract)
  const get = `GET ${url} HTTP/1.1${CRLF}Host: localhost${CRLF}Authorization: Bearer token-admin${CRLF}`
  const starts: Readonly<Record<string, readonly [start: string | Buffer, status: number]>> = {
    'a 401': [head, 401],
    'a GET with a body': [`${get}Content-Length: 10${CRLF}${CRLF}12345`, 200],
  }
  for (const [what, [start, status]] of Object.entries(starts)) {
    const received = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect({ port, host: '127.0.0.1' })
      socket.on('data', (data) => (text += data)).on('close', () => resolve(text))
      socket.end(start)
    })
    t.same(received.match(/HTTP\/1.1 \d+/g), [`HTTP/1.1 ${status}`], `${what}: one answer is given`)
    t.equal(lastExchange(server).status, status, `${what}: the journal records it`)
  }
})

t.test('a body that is not HTTP is a problem, recorded as it was answered', async (t) => {
  const { server, exchange } = await listening(t)
  for (const contract of takers) {
    const [head] = raw(form, { contract, chunked: true })
    const answer = await exchange([bytes(head, `5${CRLF}hello${CRLF}nonsense${CRLF}`)])
    t.match(
      [answer.status, answer.headers['x-mock-error'], answer.headers.connection],
      [400, 'bad-request', 'close'],
      `${contract.id}: the answer is a problem, and the connection is closed`,
    )
    t.match(lastExchange(server), { status: 400, outcome: null }, `${contract.id}: the journal records the 400`)
  }
  t.equal(await covered(server), 0, 'nothing is covered')
})

t.test('a body that takes too long is a problem, recorded as it was answered', async (t) => {
  const { server, port } = await listening(t)
  const connection = new Promise<Socket>((resolve) => server.app.server.once('connection', resolve))
  const [head, body] = raw(form)
  const received = new Promise<string>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }).once('data', (data) => resolve(String(data)))
    socket.write(bytes(head, body.subarray(0, 500)))
  })
  const socket = await connection
  await until(() => server.worlds.root.journal.total > 0)
  // As Node says it after five minutes.
  const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  server.app.server.emit('clientError', timeout, socket)
  t.match(await received, /^HTTP\/1.1 408 .*connection: close.*request-timeout/is, 'the answer is 408')
  t.match(lastExchange(server), { status: 408, outcome: null }, 'the journal records it')
})

t.test('what follows a request and is not HTTP does not take its answer', async (t) => {
  const { server, port } = await listening(t)
  const other = connect({ port, host: '127.0.0.1' })
  t.teardown(() => other.destroy())
  const received = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('data', (data) => (text += data)).on('end', () => resolve(text))
    socket.write(bytes(...raw(form), 'nonsense', CRLF))
  })
  t.same(received.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400'], 'both are answered, in their order')
  t.equal(lastExchange(server).status, 200, 'the journal records the request')
})
