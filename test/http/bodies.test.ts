import { connect } from 'node:net'
import t from 'tap'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { until } from '../binary.js'
import { adminOf, BOUNDARY, fetchUrl, fixtureFile, lastExchange, multipart, requestOf } from '../helper.js'
import { HISTORIES } from '../paths.js'
import { head, listeningServer, type RawRequestOptions, rawRequest } from '../wire.js'

const PNG = fixtureFile('signature.png', 'image/png')
const FORM = multipart([
  ['file', PNG],
  ['source', 'drawn'],
]).body

const DISCONNECTS = ['resetAndDestroy', 'destroy'] as const
type Listening = Awaited<ReturnType<typeof listeningServer>>

async function abort({ server, port }: Listening, way: (typeof DISCONNECTS)[number], sent: Buffer): Promise<void> {
  const startedCount = async () => (await adminOf(server).call('GET', 'sandboxes')).json().root.requests
  const endedCount = async () => (await adminOf(server).requests()).length
  const [started, ended] = [await startedCount(), await endedCount()]
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  socket.write(sent)
  await until(async () => (await startedCount()) > started)
  socket[way]()
  await until(async () => (await endedCount()) > ended)
}

const ABORTED = 'aborted: the connection ended before the answer'

t.test('a client that disconnects in the middle of a body, or before the answer, covers no outcome', async (t) => {
  const mock = await listeningServer(t)
  for (const contract of [uploadSignature, createSigningLink] as readonly Contract[]) {
    for (const chunked of [false, true]) {
      for (const way of DISCONNECTS) {
        const [head, body] = rawRequest(FORM, { contract, chunked })
        await abort(mock, way, Buffer.concat([head, body.subarray(0, 500)]))
        const { status, outcome, violations, trace } = await lastExchange(mock.server)
        const label = `${contract.id}, ${way} of a${chunked ? ' chunked' : ''} body`
        t.same([status, outcome, violations, trace.why], [null, null, [], ABORTED], label)
      }
    }
  }
  t.same((await adminOf(mock.server).state()).signatures, [], 'no part of a cut-off body is stored')
  for (const way of DISCONNECTS) {
    await abort(mock, way, Buffer.concat(rawRequest(FORM, { lines: ['Prefer: delay=2000'] })))
    const { status, outcome, effects, trace } = await lastExchange(mock.server)
    t.same([status, outcome, trace.why], [null, null, ABORTED], `${way} before the answer`)
    t.match(effects.at(-1), { collection: 'signatures', change: 'added' }, 'the exchange has the effects')
  }
  t.equal((await adminOf(mock.server).coverage()).covered, 0, 'no outcome is covered')
})

t.test('every kind of body over the limit gets 413, and is never cut silently', async (t) => {
  const limit = 60_000
  const { server, exchange } = await listeningServer(t, { bodyLimit: limit })
  const big = 'x'.repeat(3_000_000)
  const formOf = (content: string, times = 1) =>
    multipart([['file', PNG], ...Array.from({ length: times }, () => ['source', content] as const)]).body
  const large = multipart([['file', { ...PNG, content: Buffer.concat([PNG.content, Buffer.from(big)]) }]]).body
  const over: Readonly<Record<string, readonly [body: string | Uint8Array, RawRequestOptions?]>> = {
    'a long text': [formOf(big)],
    'a long text, chunked': [formOf(big), { chunked: true }],
    'a text just over, chunked': [formOf('x'.repeat(limit + 1)), { chunked: true }],
    'a large file': [large],
    'a large file, chunked': [large, { chunked: true }],
    'many texts, chunked': [formOf('x'.repeat(200), 900), { chunked: true }],
    'a JSON body': [big, { type: 'application/json' }],
    'a JSON body, chunked': [big, { type: 'application/json', chunked: true }],
  }
  for (const [kind, [sent, options]] of Object.entries(over)) {
    const { status, headers, body } = await exchange(rawRequest(sent, options))
    const problem = { 'x-mock-error': 'body-too-large', 'content-type': /^application\/problem\+json/ }
    t.match([status, headers], [413, problem], `${kind}: a problem`)
    t.match(JSON.parse(body), { status: 413, limit, detail: '--body-limit' }, `${kind}: the detail has the limit`)
    const violation = { code: 'body-too-large', where: 'body', basis: 'interpretation', cites: ['I-16'] }
    const response = { headers: { 'x-mock-exchange': headers['x-mock-exchange'] } }
    const exchanged = { status: 413, outcome: null, violations: [violation], response }
    t.match(await lastExchange(server), exchanged, `${kind}: the journal cites an interpretation`)
  }
  const whole = formOf('x'.repeat(limit - formOf('').length))
  t.equal((await exchange(rawRequest(whole))).status, 200, 'a body of exactly the limit is accepted')
})

t.test('an empty chunked body counts as no body', async (t) => {
  const { server, exchange } = await listeningServer(t)
  await exchange(rawRequest('', { contract: createSigningLink, type: null, chunked: true }))
  t.match(await lastExchange(server), { status: 200, violations: [] })
})

t.test('a 401 reaches the client after a body of 20 MB', async (t) => {
  const { url, exchange } = await listeningServer(t)
  const body = Buffer.alloc(20_000_000)
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  t.equal((await exchange(rawRequest(body, { token: 'unknown' }))).status, 401, 'a raw socket receives the 401')
  const { status } = await fetchUrl(`${url}${requestOf(uploadSignature).url}`, { method: 'POST', headers, body })
  t.equal(status, 401, 'fetch receives the 401')
})

t.test('a client that disconnects ends the delays of all its pipelined calls', async (t) => {
  const { server, port } = await listeningServer(t)
  const fields = ['Host: x', 'Authorization: Bearer token-admin', 'Prefer: delay=60000']
  const call = head(`GET ${HISTORIES} HTTP/1.1`, ...fields)
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  socket.write(call + call)
  await until(async () => (await adminOf(server).call('GET', 'sandboxes')).json().root.requests === 2)
  socket.destroy()
  await until(async () => (await adminOf(server).requests()).length === 2)
  const reasons = (await adminOf(server).requests()).map(({ trace }) => trace.why)
  t.strictSame(reasons, [ABORTED, ABORTED], 'both calls are aborted')
})
