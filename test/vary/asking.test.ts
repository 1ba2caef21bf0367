import { get } from 'node:http'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { addOrganizationMember, listCreditHistories, uploadSignature, verifyDocument } from '../../schemas/index.js'
import type { Readings } from '../../schemas/readings.js'
import type { Server } from '../../src/server/create-server.js'
import { loadSettings } from '../../src/server/settings.js'
import type { Settings } from '../../src/world/settings.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { build, type Changes, lastExchange, requestOf, send } from '../helper.js'
import { reading } from '../switches/readings.js'
import { listening } from '../wire.js'
import { namedIn } from './plainly.js'

const VARYING: Partial<Settings> = { clock: '2026-01-15T09:30:00.250Z', vary: true }
const all: readonly Contract[] = contracts

/** The answers to the same calls, one after the other. */
async function answers(server: Server, calls: readonly (readonly [Contract, Changes?])[]) {
  const all = []
  for (const [contract, changes] of calls) all.push(await send(server, contract, changes))
  return all
}

const bytes = (response: Awaited<ReturnType<typeof send>>) => ({
  status: response.statusCode,
  headers: response.headers,
  payload: response.payload,
})

const CALLS = Array.from({ length: 10 }, () => all)
  .flat()
  .map((contract) => [contract] as const)

t.test('the same seed varies the same calls in the same way: anew, after a reset, in every sandbox', async (t) => {
  const server = await build(t, VARYING)
  const first = (await answers(server, CALLS)).map(bytes)
  t.strictSame((await answers(await build(t, VARYING), CALLS)).map(bytes), first, 'another server')
  await server.app.inject({ method: 'POST', url: '/__admin/reset' })
  t.strictSame((await answers(server, CALLS)).map(bytes), first, 'after a reset')
  const names = ['one', 'two', 'three']
  const there = await Promise.all(
    names.map((sandbox) =>
      answers(
        server,
        CALLS.map(([contract]) => [contract, { sandbox }] as const),
      ),
    ),
  )
  const varied = (all: typeof first) => all.map(({ headers }) => headers['x-mock-varied'])
  for (const [at, name] of names.entries())
    t.strictSame(varied(there[at]!.map(bytes)), varied(first), `the sandbox ${name}, while others are called`)
  const other = (await answers(await build(t, { ...VARYING, seed: '2' }), CALLS)).map(bytes)
  t.notSame(varied(other), varied(first), 'another seed varies them otherwise')
})

t.test('ids, chance and delays are what they are without it', async (t) => {
  const define = (server: Server) =>
    server.app.inject({
      method: 'PUT',
      url: '/__admin/scenarios/now-and-then',
      payload: { rules: [{ on: 'verifyDocument', chance: 0.5, answer: { status: 422 } }], active: true },
    })
  const seen = async (settings: Partial<Settings>) => {
    const server = await build(t, { ...VARYING, ...settings })
    await define(server)
    const responses = await answers(server, CALLS)
    const ids = responses.map((response) => response.json().signature_id).filter((id) => id !== undefined)
    const causes = server.worlds.root.journal.exchanges().map(({ cause }) => cause)
    const state = (await server.app.inject('/__admin/state')).json()
    return { ids, causes, state }
  }
  const varied = await seen({})
  t.strictSame(varied, await seen({ vary: false }), 'ids, causes and state')
  t.ok(varied.ids.length === 10 && new Set(varied.causes).size > 1, 'there are some')
})

t.test('a request asks for it, by header or query, with any value', async (t) => {
  const server = await build(t)
  const plain = await send(server, uploadSignature)
  t.equal(plain.headers['x-mock-varied'], undefined, 'nothing varies by itself')
  const ways: readonly Changes[] = [
    { headers: { prefer: 'vary' } },
    { headers: { prefer: 'vary=yes' } },
    { headers: { prefer: 'respond-async, Vary="a, b"; c' } },
    { query: { __vary: '' } },
    { query: { __vary: 'false' } },
  ]
  for (const way of ways) {
    const response = await send(server, uploadSignature, way)
    t.type(response.headers['x-mock-varied'], 'string', `${JSON.stringify(way)}: it varies`)
    t.equal(response.headers['preference-applied'], 'vary', `${JSON.stringify(way)}: and says that it was asked to`)
    t.strictSame(lastExchange(server).violations, [], `${JSON.stringify(way)}: it is no part of the request`)
  }
  const malformed = await send(server, uploadSignature, { headers: { prefer: '=' } })
  t.match(malformed.json().detail, 'vary', 'who cannot write the header is told of it')
})

t.test('it goes with the other preferences; a status that is asked for by its number is answered', async (t) => {
  const server = await build(t, VARYING)
  for (let time = 0; time < 30; time++) {
    const forced = await send(server, addOrganizationMember, { headers: { prefer: 'code=200, delay=1' } })
    t.equal(forced.statusCode, 200, 'code=200 is 200')
    const expected = await send(server, uploadSignature, { headers: { prefer: 'expect=200, vary' } })
    t.equal(expected.statusCode, 200, 'expect=200 is met')
    t.strictSame(lastExchange(server).violations, [], 'and nothing is held against the client')
    const conflict = await send(server, addOrganizationMember, { headers: { prefer: 'code=409, vary' } })
    t.equal(conflict.headers['x-mock-outcome'], 'addOrganizationMember:409', 'code=409 is 409')
    t.equal(conflict.headers['preference-applied'], 'code=409, vary', 'both are applied')
  }
  const undeclared = await send(server, uploadSignature, { headers: { prefer: 'code=201' } })
  t.equal(undeclared.headers['x-mock-error'], 'undeclared-outcome', '201 is drawn, and cannot be asked for')
})

t.test('what the mock has not made itself stays as it is', async (t) => {
  const server = await build(t, VARYING)
  const body = { status: 'success', message: 'As I wrote it.' }
  await server.app.inject({
    method: 'PUT',
    url: '/__admin/scenarios/written',
    payload: { rules: [{ on: 'addOrganizationMember', answer: { status: 200, body } }], active: true },
  })
  for (let time = 0; time < 20; time++) {
    const written = await send(server, addOrganizationMember)
    t.equal(written.payload, JSON.stringify(body), "a rule's own body is sent as it is written")
    const gateway = await send(server, uploadSignature, { headers: { prefer: 'code=503' } })
    t.match(gateway.payload, /^<html>/, "so is a gateway's page")
    const problem = await server.app.inject('/client/signatur')
    t.equal(problem.headers['content-type'], 'application/problem+json; charset=utf-8', 'so is a problem')
    for (const { headers } of [written, gateway, problem]) t.notOk('x-mock-varied' in headers, 'nothing was varied')
  }
})

t.test('a sample that a rule sends varies, and keeps the headers that the rule gives it', async (t) => {
  const server = await build(t, VARYING)
  await server.app.inject({
    method: 'PUT',
    url: '/__admin/scenarios/sample',
    payload: {
      rules: [
        { on: '*', answer: { status: 401, headers: { 'X-Own': 'a', 'Content-Type': 'application/vnd.a+json' } } },
      ],
      active: true,
    },
  })
  const names = new Set<string>()
  for (let time = 0; time < 40; time++) {
    const response = await send(server, uploadSignature)
    for (const [name] of namedIn(response)) names.add(name)
    t.match(
      response.headers,
      { 'x-own': 'a', 'content-type': 'application/vnd.a+json', 'www-authenticate': 'Bearer' },
      'its headers',
    )
  }
  t.ok(names.has('error-body') && names.has('white-space'), 'it varies')
  t.notOk(names.has('content-type'), 'but for the content type')
})

/** Readings that a user has set, and what then stays as it is: in one operation, but not in another. */
const known: readonly (readonly [
  set: Partial<Readings>,
  name: string,
  stays: Contract,
  changes: Changes,
  other?: Contract,
])[] = [
  [{ successStatus: 200 }, 'status', uploadSignature, {}],
  [{ successStatus: 201 }, 'status', uploadSignature, {}],
  [{ successStatus: { uploadSignature: 201 } }, 'status', uploadSignature, {}, verifyDocument],
  [{ errorBody: 'nested' }, 'error-body', uploadSignature, { headers: { authorization: undefined } }],
  [{ errorBody: { why: '{message}' } }, 'error-body', uploadSignature, { headers: { authorization: undefined } }],
  [
    { errorBody: { verifyDocument: 'flat' } },
    'error-body',
    verifyDocument,
    { headers: { authorization: undefined } },
    uploadSignature,
  ],
  [{ errorBody: { code: '{status}' } }, 'message', uploadSignature, { headers: { authorization: undefined } }],
  [
    { successWords: { uploadSignature: { status: 'success' } } },
    'status-word',
    uploadSignature,
    {},
    addOrganizationMember,
  ],
  [{ successWords: { uploadSignature: { message: 'Fine.' } } }, 'message', uploadSignature, {}, addOrganizationMember],
  [{ timestamps: 'milliseconds' }, 'timestamps', verifyDocument, {}],
  [{ timestamps: 'seconds' }, 'timestamps', verifyDocument, {}],
]

t.test('what users know of their service does not vary', async (t) => {
  for (const [set, name, stays, changes, other] of known) {
    const place = folder(t, { 'readings.json': JSON.stringify({ interpretations: set }) })
    const fromFile = await loadSettings(
      { interpretations: 'readings.json' },
      {},
      { file: undefined, config: {} },
      place,
    )
    const fromConfig = await loadSettings({}, {}, { file: undefined, config: { interpretations: set } })
    for (const [where, { readings, chosen }] of Object.entries({ fromFile, fromConfig })) {
      const server = await build(t, { ...VARYING, readings, chosen })
      const varied = async (contract: Contract) => {
        const responses = await answers(
          server,
          Array.from({ length: 40 }, () => [contract, changes] as const),
        )
        t.strictSame(lastExchange(server).deviations, [], 'no deviation')
        return new Set(responses.flatMap((response) => [...namedIn(response).keys()]))
      }
      const label = `${JSON.stringify(set)} ${where}`
      t.notOk((await varied(stays)).has(name), `${label}: ${name} of ${stays.id} stays`)
      if (other !== undefined) t.ok((await varied(other)).has(name), `${label}: ${name} of ${other.id} varies`)
    }
  }
  const server = await build(t, { ...VARYING, readings: reading({ successStatus: 201, errorBody: 'flat' }) })
  for (const { statusCode } of await answers(
    server,
    Array.from({ length: 20 }, () => [uploadSignature] as const),
  ))
    t.equal(statusCode, 201, 'nor does a reading that is not as by default')
})

t.test('coverage stays whole: a 201 that was drawn counts as the success that is declared', async (t) => {
  const server = await build(t, VARYING)
  const statuses = (await answers(server, CALLS)).map(({ statusCode }) => statusCode)
  t.ok(statuses.includes(201), 'some are 201')
  const { outcomes, total } = (await server.app.inject('/__admin/coverage')).json()
  t.equal(total, (await (await build(t)).app.inject('/__admin/coverage')).json().total, 'as many outcomes as ever')
  for (const contract of all) {
    const { count } = outcomes.find(({ outcome }: { outcome: string }) => outcome === `${contract.id}:200`)
    const own = server.worlds.root.journal.exchanges().filter((one) => one.contract?.id === contract.id)
    t.equal(count, own.filter(({ status }) => (status as number) < 300).length, `${contract.id}: each counts`)
    for (const { outcome, status } of own) t.equal(outcome, `${contract.id}:${status}`, 'an outcome has its own status')
  }
})

t.test('what was answered can be answered again, as a scenario', async (t) => {
  const server = await build(t, VARYING)
  const first = await answers(
    server,
    all.map((contract) => [contract]),
  )
  const file = (await server.app.inject('/__admin/requests?format=scenario')).payload
  const again = await build(t, { ...VARYING, vary: false })
  const defined = await again.app.inject({
    method: 'PUT',
    url: '/__admin/scenarios/again',
    headers: { 'content-type': 'application/yaml' },
    payload: `${file}active: true\n`,
  })
  t.equal(defined.statusCode, 200, 'it is a scenario')
  for (const [at, response] of (
    await answers(
      again,
      all.map((contract) => [contract]),
    )
  ).entries()) {
    t.equal(response.statusCode, first[at]!.statusCode, `${all[at]!.id}: its status`)
    t.strictSame(response.json(), first[at]!.json(), `${all[at]!.id}: its body`)
  }
})

t.test('pages of other origins may read what was varied', async (t) => {
  const response = await send(await build(t, VARYING), uploadSignature, { headers: { origin: 'http://app.test' } })
  t.match(response.headers['access-control-expose-headers'], 'X-Mock-Varied', 'it is exposed')
})

interface Wired {
  readonly names: ReadonlyMap<string, string>
  readonly rawHeaders: readonly string[]
  readonly chunks: number
  readonly text: string
}

function overWire(t: Test, url: string): Promise<Wired> {
  const { headers } = requestOf(listCreditHistories)
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: headers as Record<string, string>, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        const names = namedIn({ headers: response.headers } as never)
        resolve({ names, rawHeaders: response.rawHeaders, chunks: chunks.length, text })
      })
    })
    request.once('error', reject)
    t.teardown(() => request.destroy())
  })
}

t.test('on the wire, names of headers are in another case, and the body comes in chunks', async (t) => {
  const { url } = await listening(t, VARYING)
  for (let time = 0; time < 60; time++) {
    const { names, rawHeaders, text } = await overWire(t, `${url}${requestOf(listCreditHistories).url}`)
    const written = (lower: string) => rawHeaders.find((name) => name.toLowerCase() === lower)
    const cases: Readonly<Record<string, string>> = { title: 'Content-Type', upper: 'CONTENT-TYPE' }
    t.equal(written('content-type'), cases[names.get('header-case') ?? ''] ?? 'content-type', 'the case is as named')
    t.equal(written('transfer-encoding') !== undefined, names.has('chunked'), 'so is the way that it is sent')
    t.equal(written('content-length') === undefined, names.has('chunked'), 'with its length, or in chunks')
    const [type] = [...rawHeaders.entries()].filter(([, name]) => name === written('content-type'))
    t.match(rawHeaders[type![0] + 1], /^application\/json(; ?charset=utf-8)?$/i, 'JSON')
    t.equal(JSON.parse(text).page, 1, 'all of the body arrives')
  }
})

/** All that comes back on a connection until the server ends it. */
function converse(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('end', () => resolve(Buffer.concat(chunks).toString()))
    socket.once('error', reject)
  })
}

t.test('a client that knows no chunks is sent none', async (t) => {
  const { port } = await listening(t, VARYING)
  const { url, headers } = requestOf(listCreditHistories)
  const { authorization } = headers as Record<string, string>
  for (let time = 0; time < 20; time++) {
    const answer = await converse(port, `GET ${url} HTTP/1.0\r\nAuthorization: ${authorization}\r\n\r\n`)
    const [head = '', body = ''] = answer.split(/\r\n\r\n(?=\s*\{)/)
    t.notMatch(head, /chunked/i, 'neither in words nor in deed')
    t.equal(JSON.parse(body).page, 1, 'it reads the body to the end of the connection')
  }
})

t.test('exec runs a test suite against answers that vary, and every gate holds', async (t) => {
  const place = folder(t, {
    'client.mjs': `
      const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
      for (let time = 0; time < 30; time++) {
        const query = 'page=1&per_page=2&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
        const response = await fetch(url + '/api/v2/credits/histories?' + query, { headers: { authorization: 'Bearer ' + token } })
        if (!response.ok || !response.headers.has('x-mock-varied')) process.exit(7)
        if ((await response.json()).per_page !== 2) process.exit(8)
      }`,
  })
  const gates = ['--fail-on', 'violations,deviations', '--require', 'listCreditHistories:200']
  const { code, err } = await run(t, ['exec', '--vary', ...gates, '--', process.execPath, 'client.mjs'], { cwd: place })
  t.equal(code, 0, 'all is well', { err })
})

t.test('the document is printed as a server with the same options serves it', async (t) => {
  const printed = JSON.parse((await run(t, ['openapi', '--vary'])).out)
  t.ok('201' in printed.paths['/client/signature'].post.responses, '201 is there')
})
