import { connect } from 'node:net'
import t from 'tap'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { until } from '../binary.js'
import { adminOf, BOUNDARY, fetched, fixtureFile, lastExchange, multipart, requestOf } from '../helper.js'
import { HISTORIES } from '../paths.js'
import { head, listening, rawRequest, type Sending } from '../wire.js'

const PNG = fixtureFile('signature.png', 'image/png')
const FORM = multipart([
  ['file', PNG],
  ['source', 'drawn'],
]).body

const WAYS = ['resetAndDestroy', 'destroy'] as const
type Listening = Awaited<ReturnType<typeof listening>>

async function leaveDuring({ server, port }: Listening, way: (typeof WAYS)[number], sent: Buffer): Promise<void> {
  const begun = async () => (await adminOf(server).call('GET', 'sandboxes')).json().root.requests
  const ended = async () => (await adminOf(server).requests()).length
  const [before, known] = [await begun(), await ended()]
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  socket.write(sent)
  await until(async () => (await begun()) > before)
  socket[way]()
  await until(async () => (await ended()) > known)
}

const ABORTED = 'aborted: the connection ended before the answer'

t.test('a client that leaves in the middle of a body, or before its answer, covers no outcome', async (t) => {
  const mock = await listening(t)
  for (const contract of [uploadSignature, createSigningLink] as readonly Contract[]) {
    for (const chunked of [false, true]) {
      for (const way of WAYS) {
        const [head, body] = rawRequest(FORM, { contract, chunked })
        await leaveDuring(mock, way, Buffer.concat([head, body.subarray(0, 500)]))
        const { status, outcome, violations, trace } = await lastExchange(mock.server)
        const label = `${contract.id}, ${way} of a${chunked ? ' chunked' : ''} body`
        t.same([status, outcome, violations, trace.why], [null, null, [], ABORTED], label)
      }
    }
  }
  t.same((await adminOf(mock.server).state()).signatures, [], 'nothing of half a body is stored')
  for (const way of WAYS) {
    await leaveDuring(mock, way, Buffer.concat(rawRequest(FORM, { lines: ['Prefer: delay=2000'] })))
    const { status, outcome, effects, trace } = await lastExchange(mock.server)
    t.same([status, outcome, trace.why], [null, null, ABORTED], `${way} before the answer`)
    t.match(effects.at(-1), { collection: 'signatures', change: 'added' }, 'its effects are listed')
  }
  t.equal((await adminOf(mock.server).coverage()).covered, 0, 'nothing is covered')
})

t.test('a body over the limit gets 413, however it is sent, and is never cut silently', async (t) => {
  const limit = 60_000
  const { server, exchange } = await listening(t, { bodyLimit: limit })
  const big = 'x'.repeat(3_000_000)
  const formOf = (content: string, times = 1) =>
    multipart([['file', PNG], ...Array.from({ length: times }, () => ['source', content] as const)]).body
  const large = multipart([['file', { ...PNG, content: Buffer.concat([PNG.content, Buffer.from(big)]) }]]).body
  const over: Readonly<Record<string, readonly [body: string | Uint8Array, Sending?]>> = {
    'a long text': [formOf(big)],
    'a long text, chunked': [formOf(big), { chunked: true }],
    'a text just over, chunked': [formOf('x'.repeat(limit + 1)), { chunked: true }],
    'a large file': [large],
    'a large file, chunked': [large, { chunked: true }],
    'many texts, chunked': [formOf('x'.repeat(200), 900), { chunked: true }],
    'a JSON body': [big, { type: 'application/json' }],
    'a JSON body, chunked': [big, { type: 'application/json', chunked: true }],
  }
  for (const [what, [sent, sending]] of Object.entries(over)) {
    const { status, headers, body } = await exchange(rawRequest(sent, sending))
    const problem = { 'x-mock-error': 'body-too-large', 'content-type': /^application\/problem\+json/ }
    t.match([status, headers], [413, problem], `${what}: it is a problem`)
    t.match(JSON.parse(body), { status: 413, limit, detail: '--body-limit' }, `${what}: it states the limit`)
    const violation = { code: 'body-too-large', where: 'body', basis: 'interpretation', cites: ['I-16'] }
    const exchanged = { status: 413, outcome: null, violations: [violation] }
    t.match(await lastExchange(server), exchanged, `${what}: the journal says that the limit is ours`)
  }
  const whole = formOf('x'.repeat(limit - formOf('').length))
  t.equal((await exchange(rawRequest(whole))).status, 200, 'a body of exactly the limit is accepted')
})

t.test('a 401 reaches the client after a body of 20 MB', async (t) => {
  const { url, exchange } = await listening(t)
  const body = Buffer.alloc(20_000_000)
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  t.equal((await exchange(rawRequest(body, { token: 'unknown' }))).status, 401, 'a raw socket receives it')
  const { status } = await fetched(`${url}${requestOf(uploadSignature).url}`, { method: 'POST', headers, body })
  t.equal(status, 401, 'fetch receives it')
})

t.test('a client that leaves ends the delays of all its calls, those behind the first included', async (t) => {
  const { server, port } = await listening(t)
  const fields = ['Host: x', 'Authorization: Bearer token-admin', 'Prefer: delay=60000']
  const call = head(`GET ${HISTORIES} HTTP/1.1`, ...fields)
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  socket.write(call + call)
  await until(async () => (await adminOf(server).call('GET', 'sandboxes')).json().root.requests === 2)
  socket.destroy()
  await until(async () => (await adminOf(server).requests()).length === 2)
  const whys = (await adminOf(server).requests()).map(({ trace }) => trace.why)
  t.strictSame(whys, [ABORTED, ABORTED], 'no request is answered')
})
