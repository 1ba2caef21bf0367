import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import { defineOperation } from '../../src/operations/handler.js'
import { operations } from '../../src/operations/index.js'
import { sha256 } from '../../src/text/digest.js'
import { until } from '../binary.js'
import { BOUNDARY, fetched, lastExchange, requestOf, type Server } from '../helper.js'
import { listening } from '../wire.js'
import {
  bytes,
  dialects,
  end,
  FILE,
  file,
  form,
  malformed,
  many,
  PNG,
  part,
  raw,
  type Sending,
  TEXT,
  text,
} from './forms.js'

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
        const { status, outcome, violations, trace } = await lastExchange(mock.server)
        const label = `${contract.id}, ${way} of a${chunked ? ' chunked' : ''} body`
        t.match([outcome, trace.why], [null, ABORTED], label)
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
    const { status, outcome, trace } = await lastExchange(mock.server)
    t.same([status, outcome, trace.why], [null, null, ABORTED], way)
  }
  t.equal(await covered(mock.server), 0, 'nothing is covered')
})

const forms = (contracts as readonly Contract[]).filter(({ form }) => form !== undefined)

for (const contract of forms) {
  const status = contract.invalid
  t.test(`${contract.id} answers ${status} to a malformed form, says how to fix it, and keeps serving`, async (t) => {
    const { server, exchange } = await listening(t)
    for (const [fault, sending] of Object.entries(malformed)) {
      const [chunks, code, words] = sending(contract)
      const answer = await exchange(chunks)
      const body = { error: { code: status, message: words } }
      t.match([answer.status, JSON.parse(answer.body)], [status, body], `${fault}: the answer says so`)
      const violations = [{ code, message: words, fix: /.{10}/ }]
      t.match(await lastExchange(server), { status, violations }, `${fault}: the journal has a fix`)
    }
    t.equal((await exchange(raw(form))).status, 200, 'the server still answers')
  })
}

t.test('a body over the limit gets 413, however it is sent, and is never cut silently', async (t) => {
  const limit = 100_000
  const { server, exchange } = await listening(t, { bodyLimit: limit })
  const big = 'x'.repeat(3_000_000)
  const withText = (content: string) => bytes(file(), text([TEXT], content), end())
  const texts = many.slice(0, 900).map(() => text([TEXT], 'x'.repeat(200)))
  const over: Readonly<Record<string, readonly [body: string | Uint8Array, Sending?]>> = {
    'a long text': [withText(big)],
    'a long text, chunked': [withText(big), { chunked: true }],
    'a text just over, chunked': [withText('x'.repeat(limit + 1)), { chunked: true }],
    'a large file': [bytes(part([FILE], bytes(PNG, big)), end())],
    'a large file, chunked': [bytes(part([FILE], bytes(PNG, big)), end()), { chunked: true }],
    'many texts, chunked': [bytes(file(), ...texts, end()), { chunked: true }],
    'a JSON body': [big, { type: 'application/json' }],
    'a JSON body, chunked': [big, { type: 'application/json', chunked: true }],
  }
  for (const [what, [sent, sending]] of Object.entries(over)) {
    const { status, headers, body } = await exchange(raw(sent, sending))
    const problem = { 'x-mock-error': 'body-too-large', 'content-type': /^application\/problem\+json/ }
    t.match([status, headers], [413, problem], `${what}: it is a problem`)
    t.match(JSON.parse(body), { status: 413, limit, detail: '--body-limit' }, `${what}: it states the limit`)
    const violation = {
      code: 'body-too-large',
      where: 'body',
      basis: 'interpretation',
      cites: ['I-16'],
      rule: /^I-16: /,
    }
    const exchanged = { status: 413, outcome: null, violations: [violation] }
    t.match(await lastExchange(server), exchanged, `${what}: the journal says that the limit is ours`)
  }
  const whole = withText('x'.repeat(limit - withText('').length))
  t.equal((await exchange(raw(whole))).status, 200, 'a body of exactly the limit is accepted')
})

t.test('a 401 reaches the client after a body of 20 MB', async (t) => {
  const { url, exchange } = await listening(t)
  const body = Buffer.alloc(20_000_000)
  const address = `${url}${requestOf(uploadSignature).url}`
  const post = { method: 'POST', headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
  const [head, all] = raw(body, { token: 'nobody' })
  t.equal((await exchange([head, all])).status, 401, 'a raw socket receives it')
  t.equal((await fetched(address, { ...post, body })).status, 401, 'fetch receives it')
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(address, post, (response) => resolve(response.resume().statusCode))
    request.on('error', reject).end(body)
  })
  t.equal(status, 401, 'node:http receives it')
})

t.test('every dialect of multipart/form-data is understood', async (t) => {
  const { server, exchange } = await listening(t)
  for (const [dialect, [chunks, filename = 's.png']] of Object.entries(dialects)) {
    const { status, body, interim } = await exchange(chunks)
    t.equal(status, 200, `${dialect}: it is accepted`, { body })
    const { request, violations } = await lastExchange(server)
    const sent = { file: { filename, sha256: sha256(PNG) }, source: 'drawn ø' }
    t.match(request.body, sent, `${dialect}: file and text arrive intact`)
    const codes = violations.map(({ code }) => code)
    t.same(codes, filename === '' ? ['nameless-file'] : [], `${dialect}: but a file's name may miss`)
    t.same(interim, dialect.startsWith('Expect') ? [100] : [], `${dialect}: 100 Continue is sent only on request`)
  }
})
