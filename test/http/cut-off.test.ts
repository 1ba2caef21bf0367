import { connect, type Socket } from 'node:net'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import { defineOperation } from '../../src/operations/handler.js'
import { operations } from '../../src/operations/index.js'
import type { Server } from '../../src/server/create-server.js'
import { until } from '../binary.js'
import { all, lastExchange } from '../helper.js'
import { listening } from '../wire.js'
import { bytes, CRLF, form, raw } from './forms.js'
import { untilClosed } from './spoken.js'

const covered = async ({ app }: Server): Promise<number> => (await app.inject('/__admin/coverage')).json().covered

/** How a client leaves. */
const WAYS = ['resetAndDestroy', 'destroy'] as const
type Listening = Awaited<ReturnType<typeof listening>>

/** Begins a request, and leaves once the journal knows of it. */
async function leaveDuring({ server, port }: Listening, way: (typeof WAYS)[number], sent: Buffer): Promise<void> {
  const { journal } = server.worlds.root
  const { total } = journal
  const { length } = journal.exchanges()
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  socket.write(sent)
  await until(() => journal.total > total)
  socket[way]()
  await until(() => journal.exchanges().length > length)
}

const ABORTED = 'aborted: the connection ended before the answer'

t.test('a client that leaves in the middle of a body has met no outcome', async (t) => {
  const mock = await listening(t)
  for (const contract of [uploadSignature, createSigningLink] as readonly Contract[]) {
    for (const chunked of [false, true]) {
      for (const way of WAYS) {
        const [head, body] = raw(form, { contract, chunked })
        await leaveDuring(mock, way, bytes(head, body.subarray(0, 500)))
        const { status, outcome, violations, why } = lastExchange(mock.server)
        const label = `${contract.id}, ${way} of a${chunked ? ' chunked' : ''} body`
        t.match([outcome, why], [null, ABORTED], label)
        t.same([status, violations], [null, []], `${label}: nobody is to blame`)
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
    t.same([status, outcome, why], [null, null, ABORTED], way)
  }
  t.equal(await covered(mock.server), 0, 'nothing is covered')
})

t.test('an admin call that is cut off changes nothing', async (t) => {
  const { server, port } = await listening(t)
  const head = `PUT /__admin/clock HTTP/1.1${CRLF}Host: localhost${CRLF}`
  const chunked = `Transfer-Encoding: chunked${CRLF}${CRLF}1${CRLF}{`
  for (const rest of [`Content-Length: 50${CRLF}${CRLF}{`, chunked]) await untilClosed(port, head + rest, { end: true })
  t.equal(server.worlds.root.clock.frozen, false, 'nothing is set')
})

t.test('a body that is not HTTP is a problem, and the end of its request', async (t) => {
  const { server, exchange } = await listening(t)
  for (const contract of all.filter(({ method }) => method !== 'GET')) {
    const [head] = raw(form, { contract, chunked: true })
    const { status, headers } = await exchange([bytes(head, `5${CRLF}hello${CRLF}nonsense${CRLF}`)])
    const problem = { 'x-mock-error': 'bad-request', connection: 'close' }
    t.match([status, headers], [400, problem], `${contract.id}: it is a problem, and the end`)
    await until(() => lastExchange(server)?.contract?.id === contract.id)
    t.match(lastExchange(server), { status: null, outcome: null, why: ABORTED }, `${contract.id}: the journal says so`)
  }
  t.equal(await covered(server), 0, 'nothing is covered')
})

t.test('a body that takes too long is a problem, and the end of its request', async (t) => {
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
  await until(() => lastExchange(server) !== undefined)
  t.match(lastExchange(server), { status: null, outcome: null, why: ABORTED }, 'the journal says so')
  const opened = new Promise<Socket>((resolve) => server.app.server.once('connection', resolve))
  const unused = untilClosed(port, '')
  server.app.server.emit('clientError', timeout, await opened)
  t.same(await unused, { text: '', error: undefined }, 'a connection that nothing came over is closed without a word')
})
