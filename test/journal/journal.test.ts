import { execFile } from 'node:child_process'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { entryOf } from '../../src/engine/journal/entry.js'
import { environment, folder, serve } from '../binary.js'
import type { Changes, Server } from '../helper.js'
import { adminOf, answerOf, build, fetchUrl, folderOf, lastExchange, multipart, requestOf, send } from '../helper.js'

/** 16 KiB of each body and of the query, and room for names, quotes and messages. */
const LIMIT = 128 * 1024

t.test('an exchange keeps 16 KiB of each body, however long it is', async (t) => {
  const server = await build(t)
  const long = 'x'.repeat(20_000_000)
  const { headers, url } = requestOf(api.addOrganizationMember)
  const asJson = { ...headers, 'content-type': 'application/json' }
  const formOf = (parts: readonly (readonly [string, string])[]): InjectOptions => {
    const { headers: formHeaders, body } = multipart(parts)
    return { method: 'POST', url, headers: { ...headers, ...formHeaders }, payload: body }
  }
  const times = (field: (at: number) => [string, string]) => formOf(Array.from({ length: 900 }, (_, at) => field(at)))
  const cases: Readonly<Record<string, InjectOptions>> = {
    'a JSON body of 20 MB': { method: 'POST', url, headers: asJson, payload: JSON.stringify({ long }) },
    'a field of 20 MB': formOf([['data[0][email]', long]]),
    '900 fields of 20 kB': times((at) => [`f${at}`, 'y'.repeat(20_000)]),
    'one field 900 times': times(() => ['f', 'y'.repeat(20_000)]),
    'a name of 900 characters 900 times': times((at) => ['z'.repeat(900) + at, 'y']),
    'four thousand keys of a query': { url: `/?${Array.from({ length: 4_000 }, (_, at) => at).join('&')}` },
  }
  for (const [label, request] of Object.entries(cases)) {
    await server.app.inject(request)
    const exchange = await lastExchange(server)
    const shown = JSON.stringify(exchange).length
    t.ok(shown < LIMIT, `${label}: the exchange is small`, { shown })
    const texts = exchange.violations.map(({ message, where, fix }) => message + where + fix).join('')
    t.ok(texts.length <= 16 * 1024, `${label}: violations are limited`)
  }
})

t.test('the answer is kept even if the request is long', async (t) => {
  const server = await build(t)
  const started = performance.now()
  await send(server, api.addOrganizationMember, { form: { note: 'x'.repeat(100_000) } })
  const took = performance.now() - started
  const { response, duration, violations } = await lastExchange(server)
  t.ok(Number(duration) > 0 && Number(duration) <= took, 'its duration is in milliseconds', { duration, took })
  t.equal(violations[0]?.corrected, undefined, 'a shortened request has no correction')
  t.match(response?.body, { status: 'success' }, 'the answer’s body is whole')
})

t.test('a short token redacts neither sandbox names nor words of the mock', async (t) => {
  const server = await build(t, { auth: 'any' })
  const headers = {
    authorization: 'Bearer test',
    cookie: 'session=abcdefghijkl; listCreditHistories=1',
    trace: 'atest',
  }
  await server.app.inject({
    url: `/~test-1${requestOf(api.listCreditHistories).url}&q=test&r=%20test&s=abcdefghijkl`,
    headers,
  })
  const entry = await lastExchange(server, 'test-1')
  t.match(entry, { sandbox: 'test-1', operation: 'listCreditHistories' }, 'the words of the mock stay')
  t.match(
    entry.url,
    /^\/~test-1\/.*&q=\[redacted\]&r=%20\[redacted\]&s=\[redacted\]$/,
    'token and cookie are redacted in the URL',
  )
  t.match(entry.request.headers.trace, 'atest', 'a word that ends with the token stays')
  t.match(entry.violations[0]?.message, 'listCreditHistories', 'the name of a cookie is no secret')
})

const run = promisify(execFile)

const calls: readonly (readonly [Contract, Changes?])[] = [
  ...contracts.map((contract: Contract) => [contract] as const),
  [api.listCreditHistories, { query: { page: '2' } }],
  [api.listCreditHistories, { query: { page: '2', per_page: undefined, sort_by: undefined } }],
  [api.listCreditHistories, { query: { page: 'x' } }],
  [api.addOrganizationMember, { form: { 'data[0][email]': 'b@example.test', 'data[0][first_name]': 'A\u2028B' } }],
  [api.addOrganizationMember, { headers: { prefer: 'code=409' } }],
  [api.verifyDocument, { form: { file: undefined, code: 'DOC-none' } }],
  [api.verifyDocument, { headers: { prefer: 'code=503' } }],
  [api.uploadSignature, { headers: { authorization: undefined } }],
  [api.listCreditHistories, { headers: { prefer: 'scenario=odd' } }],
]

const tea = { status: 418, body: { tea: true }, headers: { 'x-pot': 'yes' } }
const odd = [{ on: 'listCreditHistories', offContract: true, answer: tea }]

async function answerTo(server: Server, [contract, changes = {}]: (typeof calls)[number], prefer: boolean) {
  const sent = { ...changes.headers, ...(!prefer && { prefer: undefined }) }
  const { status, headers, body } = answerOf(await send(server, contract, { ...changes, headers: sent }))
  return { status, body, type: headers['content-type'], pot: headers['x-pot'] }
}

t.test('a scenario written from the journal gives the same answers', async (t) => {
  const forced = calls.filter(([, changes]) => changes?.headers?.prefer !== undefined)
  const natural = calls.filter((call) => !forced.includes(call))
  // Rules come before authentication: in another order, one would answer the call without a token.
  const authorized = natural.filter(([, changes]) => changes?.headers === undefined)
  for (const [recorded, replayed] of [
    [calls, calls],
    [authorized, authorized.toReversed()],
  ] as const) {
    const recording = await build(t, { scenarios: folderOf(t, { odd }), clock: '2026-01-15T09:30:00Z' })
    const answers = new Map<unknown, object>()
    for (const call of recorded) answers.set(call, await answerTo(recording, call, true))
    const { body: file, headers } = await recording.app.inject('/__admin/requests?format=scenario')
    t.match(headers['content-type'], /yaml/)
    t.notMatch(file, 'token-admin', 'the file has no token')
    const replaying = await build(t, { scenarios: folderOf(t, { 'again.yaml': file }), scenario: ['again'] })
    for (const call of replayed)
      t.same(await answerTo(replaying, call, false), answers.get(call), `${call[0].id}, ${replayed.indexOf(call)}`)
    const causes = (await adminOf(replaying).requests()).map(({ cause, trace }) => `${trace.answeredBy} ${cause}`)
    const unauthorized = recorded === calls ? 1 : 0
    t.equal(causes.filter((one) => one.includes('scenario:again#')).length, recorded.length - unauthorized, 'by rules')
    t.equal(causes.filter((one) => one.startsWith('authenticate')).length, unauthorized, 'the call without a token')
    const next = await send(replaying, api.listCreditHistories)
    t.equal(next.headers['x-mock-outcome'], 'listCreditHistories:200', 'then every rule is used up')
  }
})

t.test('an exchange copied as a test passes, and copied as curl or fetch repeats the request', async (t) => {
  const { url } = await serve(t)
  const cwd = folder(t)
  await copyFile('fixtures/files/signature.png', join(cwd, 'signature.png'))
  const env = { ...environment({ COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: 'token-admin' }), NODE_OPTIONS: '' }
  const answer = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(20_000) }
  const rules = [{ on: 'listCreditHistories', offContract: true, answer }]
  const headers = { 'content-type': 'application/json' }
  await fetchUrl(`${url}/__admin/scenarios/long`, { method: 'PUT', headers, body: JSON.stringify({ rules }) })
  const cases: readonly (readonly [string, Contract, Changes?])[] = [
    ['a page', api.listCreditHistories],
    ['a verification, with the time of day', api.verifyDocument, { form: { file: undefined } }],
    ['a signing link', api.createSigningLink],
    ['an upload, with a new id', api.uploadSignature],
    ['no such token', api.listCreditHistories, { headers: { authorization: 'Bearer nope' } }],
    ['a fault', api.listCreditHistories, { headers: { prefer: 'fault=EMPTY_RESPONSE' } }],
    ['a search by another user', api.searchProtectedAttachments, { headers: { authorization: 'Bearer token-member' } }],
    ['a long text', api.listCreditHistories, { headers: { prefer: 'scenario=long' } }],
  ]
  for (const [label, contract, changes] of cases) {
    const { method, url: path, headers, payload } = requestOf(contract, changes)
    const call = { method, headers, body: payload } as RequestInit
    const answer = await fetchUrl(url + path, call).catch(() => null)
    const [{ id }] = (await fetchUrl(`${url}/__admin/requests?limit=1`)).body.requests
    const snippet = async (format: string) => (await fetchUrl(`${url}/__admin/requests/${id}?format=${format}`)).body
    const test = join(cwd, 'one.test.mjs')
    await writeFile(test, await snippet('test'))
    const { stdout } = await run(process.execPath, [test], { env, cwd }).catch((error) => error)
    t.match(stdout, /pass 1\n/, `${label}: the test passes`)
    const curl = await snippet('curl')
    if (label === 'no such token') t.match(curl, /^curl .*\$TOKEN.*\n$/, `${label}: curl with $TOKEN`)
    else t.match(curl, /^TOKEN='token-(?:admin|member)'\ncurl .*\n$/, `${label}: curl after a line that sets the token`)
    t.notMatch(curl, /user-agent|accept|boundary/, `${label}: without default headers`)
    const shell = ['-c', `${curl.trim()} -s -o /dev/null -w '%{http_code}'`]
    const { stdout: status } = await run('sh', shell, { env: { ...env, TOKEN: 'nope' }, cwd }).catch((error) => error)
    t.equal(status, `${answer?.status ?? '000'}`, `${label}: curl gets the same status`)
    if (label === 'a long text') t.match(await snippet('rule'), { code: 'conflict' }, `${label}: it is no rule`)
    if (answer === null) t.match(await snippet('scenario'), 'fault: EMPTY_RESPONSE', `${label}: as a scenario`)
    if (contract === api.uploadSignature || answer === null) continue
    const script = join(cwd, 'one.mjs')
    await writeFile(script, `${await snippet('fetch')}console.log(response.status)\nawait response.text()\n`)
    const { stdout: printed } = await run(process.execPath, [script], { env })
    t.equal(printed.trim(), `${answer.status}`, `${label}: fetch gets the same status`)
  }
})

t.test('a search keeps the entries that lists show', async (t) => {
  const server = await build(t)
  await send(server, api.listCreditHistories)
  const { root } = server.app.sandboxes
  const view = (origin?: string) => entryOf(root.journal.exchanges()[0]!, root, origin)
  const listed = view('http://a.test')
  t.not(view(), listed)
  t.equal(view('http://a.test'), listed)
})

t.test('snippets stay valid code for any characters of a request', async (t) => {
  const server = await build(t)
  const words = ["it's", `\`$${'{token}'}\``, '\\', '"', '\u2028', '</script>', '$&', "\\'"]
  const nasty = [...words, 'token-admin\r\n  b\u001b\u0085']
  for (const text of nasty) await send(server, api.addOrganizationMember, { form: { 'data[0][first_name]': text } })
  for (const format of ['fetch', 'test']) {
    for (const [at, text] of nasty.entries()) {
      const { body } = await server.app.inject(`/__admin/requests/x${at + 1}?format=${format}`)
      await t.resolves(transform(body), `${format}: ${encodeURIComponent(text)} gives valid code`)
      const [, written = ''] = /append\('data\[0\]\[first_name\]', (.*)\)/.exec(body) ?? []
      t.notMatch(written, /[\u0000-\u001f\u0080-\u009f]/, `${format}: without control characters`)
      const read = new Function('token', `return ${written}`)
      t.equal(read('token-admin'), text, `${format}: ${encodeURIComponent(text)} is unchanged`)
    }
  }
})
