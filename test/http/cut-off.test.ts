import { connect, type Socket } from 'node:net'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import { defineOperation } from '../../src/operations/handler.js'
import { operations } from '../../src/operations/index.js'
import type { Server } from '../../src/server/create-server.js'
import { until } from '../binary.js'
import { all, lastExchange, requestOf } from '../helper.js'
import { listening } from '../wire.js'
import { bytes, CRLF, form, raw } from './forms.js'
import { statusesIn, untilClosed } from './spoken.js'

const covered = async ({ app }: Server): Promise<number> => (await app.inject('/__admin/coverage')).json().covered

/** How a client leaves. */
const WAYS = ['resetAndDestroy', 'destroy'] as const
type Listening = Awaited<ReturnType<typeof listening>>

/** Begins a request, and leaves once the journal knows of it. */
async function leaveDuring({ server, port }: Listening, way: (typeof WAYS)[number], sent: Buffer): Promise<void> {
  const { journal } = server.worlds.root
  const { total } = journal
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  socket.write(sent)
  await until(() => journal.total > total)
  socket[way]()
  await until(() => lastExchange(server).duration !== null)
}

const takers = all.filter(({ method }) => method !== 'GET')

t.test('a body that is cut off is refused as one that cannot be read, and recorded as it was answered', async (t) => {
  const { server, exchange } = await listening(t)
  for (const contract of takers) {
    for (const chunked of [false, true]) {
      const [head, body] = raw(form, { contract, chunked })
      for (const kept of [0, 30, 500, body.length - 10, body.length - 1]) {
        const answer = await exchange([bytes(head, body.subarray(0, kept))], { end: true })
        const { invalid: status } = contract
        const label = `${contract.id}, ${kept} bytes of a${chunked ? ' chunked' : ''} body`
        const words = chunked ? 'cut off before its last chunk' : `cut off: ${kept} of its ${body.length} bytes arrived`
        const headers = { 'content-type': /^application\/json/, connection: 'close' }
        const error = { code: status, message: words }
        t.match({ ...answer, body: JSON.parse(answer.body) }, { status, headers, body: { error } }, label)
        const violations = [{ code: 'cut-off-body', message: words, where: 'body', fix: /.{10}/ }]
        const exchanged = { status, outcome: null, violations }
        t.match(lastExchange(server), exchanged, `${label}: the journal records what was answered`)
      }
    }
  }
  t.equal((await exchange(raw(form))).status, 200, 'a whole request is answered afterwards')
  t.equal([...server.worlds.root.state.collection('signatures').all()].length, 1, 'only the whole request is stored')
})

t.test('a client that leaves in the middle of a body has met no outcome', async (t) => {
  const mock = await listening(t)
  for (const contract of [uploadSignature, createSigningLink] as readonly Contract[]) {
    for (const chunked of [false, true]) {
      for (const way of WAYS) {
        const [head, body] = raw(form, { contract, chunked })
        await leaveDuring(mock, way, bytes(head, body.subarray(0, 500)))
        const { status, outcome, violations, why } = lastExchange(mock.server)
        const label = `${contract.id}, ${way} of a${chunked ? ' chunked' : ''} body`
        t.match([outcome, why], [null, way === 'resetAndDestroy' ? /connection ended before/ : /cut off/], label)
        if (way === 'resetAndDestroy') t.same([status, violations], [null, []], `${label}: nobody is to blame`)
      }
    }
  }
  t.equal(await covered(mock.server), 0, 'nothing is covered')
  t.same([...mock.server.worlds.root.state.collection('signatures').all()], [], 'nothing is stored')
})

t.test('a client that leaves before its answer has met no outcome', async (t) => {
  let connection: Socket | undefined
  const patient = operations.map((operation) =>
    defineOperation(operation.contract, async (call, reply) => {
      await until(() => connection?.writable === false)
      return operation.handler(call, reply)
    }),
  )
  const mock = await listening(t, {}, { operations: patient })
  mock.server.app.server.on('connection', (socket: Socket) => {
    connection = socket
  })
  for (const way of WAYS) {
    await leaveDuring(mock, way, bytes(...raw(form)))
    const { status, outcome, why } = lastExchange(mock.server)
    t.same([status, outcome, why], [null, null, 'the connection ended before the answer'], way)
  }
  t.equal(await covered(mock.server), 0, 'nothing is covered')
})

t.test('an admin call that is cut off is refused', async (t) => {
  const { server, exchange } = await listening(t)
  const head = `PUT /__admin/clock HTTP/1.1${CRLF}Host: localhost${CRLF}`
  const chunked = `Transfer-Encoding: chunked${CRLF}${CRLF}1${CRLF}{`
  for (const rest of [`Content-Length: 50${CRLF}${CRLF}{`, chunked]) {
    const { status, body } = await exchange([head + rest], { end: true })
    t.match([status, JSON.parse(body)], [400, { code: 'bad-request', detail: 'cut off' }], rest)
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
    const { text } = await untilClosed(port, start, { end: true })
    t.same(statusesIn(text), [status], `${what}: one answer is given`)
    t.equal(lastExchange(server).status, status, `${what}: the journal records it`)
  }
})

t.test('a body that is not HTTP is a problem, recorded as it was answered', async (t) => {
  const { server, exchange } = await listening(t)
  for (const contract of takers) {
    const [head] = raw(form, { contract, chunked: true })
    const { status, headers } = await exchange([bytes(head, `5${CRLF}hello${CRLF}nonsense${CRLF}`)])
    const problem = { 'x-mock-error': 'bad-request', connection: 'close' }
    t.match([status, headers], [400, problem], `${contract.id}: it is a problem, and the end`)
    t.match(lastExchange(server), { status: 400, outcome: null }, `${contract.id}: the journal records the 400`)
  }
  t.equal(await covered(server), 0, 'nothing is covered')
})

t.test('a body that takes too long is a problem, recorded as it was answered', async (t) => {
  const { server, port } = await listening(t)
  const connection = new Promise<Socket>((resolve) => server.app.server.once('connection', resolve))
  const [head, body] = raw(form)
  const received = untilClosed(port, bytes(head, body.subarray(0, 500)))
  const socket = await connection
  await until(() => server.worlds.root.journal.total > 0)
  // As Node says it after five minutes.
  const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  server.app.server.emit('clientError', timeout, socket)
  t.match((await received).text, /^HTTP\/1.1 408 .*connection: close.*request-timeout/is, 'the answer is 408')
  t.match(lastExchange(server), { status: 408, outcome: null }, 'the journal records it')
  const opened = new Promise<Socket>((resolve) => server.app.server.once('connection', resolve))
  const unused = untilClosed(port, '')
  server.app.server.emit('clientError', timeout, await opened)
  t.same(await unused, { text: '', error: undefined }, 'a connection that nothing came over is closed without a word')
})

t.test('what follows a request and is not HTTP does not take its answer', async (t) => {
  const { server, port } = await listening(t)
  const other = connect({ port, host: '127.0.0.1' })
  t.teardown(() => other.destroy())
  const { text } = await untilClosed(port, bytes(...raw(form), 'nonsense', CRLF))
  t.same(statusesIn(text), [200, 400], 'both are answered, in their order')
  t.equal(lastExchange(server).status, 200, 'the journal records the request')
})
