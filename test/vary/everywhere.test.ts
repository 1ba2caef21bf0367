import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { contractUnder } from '../../schemas/contracts-under.js'
import { listCreditHistories, uploadSignature } from '../../schemas/index.js'
import type { Settings } from '../../src/world/settings.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { all, build, lastExchange, requestOf, send } from '../helper.js'
import { head, untilClosed } from '../http/spoken.js'
import { others } from '../switches/readings.js'
import { listening } from '../wire.js'
import { answers, namedIn, VARYING } from './plainly.js'

const bytes = ({ statusCode, headers, payload }: LightMyRequestResponse) => ({ statusCode, headers, payload })

const each = all.map((contract) => [contract] as const)
const CALLS = Array.from({ length: 10 }, () => each).flat()

t.test('the same seed varies the same calls in the same way: anew, after a reset, in every sandbox', async (t) => {
  const server = await build(t, VARYING)
  const first = (await answers(server, CALLS)).map(bytes)
  t.strictSame((await answers(await build(t, VARYING), CALLS)).map(bytes), first, 'another server')
  await server.app.inject({ method: 'POST', url: '/__admin/reset' })
  t.strictSame((await answers(server, CALLS)).map(bytes), first, 'after a reset')
  const names = ['one', 'two', 'three']
  const inSandbox = (sandbox: string) => CALLS.map(([contract]) => [contract, { sandbox }] as const)
  const there = await Promise.all(names.map((sandbox) => answers(server, inSandbox(sandbox))))
  const varied = (all: typeof first) => all.map(({ headers }) => headers['x-mock-varied'])
  for (const [at, name] of names.entries())
    t.strictSame(varied(there[at]!.map(bytes)), varied(first), `the sandbox ${name}, while others are called`)
  const other = (await answers(await build(t, { ...VARYING, seed: '2' }), CALLS)).map(bytes)
  t.notSame(varied(other), varied(first), 'another seed varies them otherwise')
})

t.test('ids, chance and delays are what they are without it', async (t) => {
  const rules = [{ on: 'verifyDocument', chance: 0.5, answer: { status: 422 } }]
  const definition = { method: 'PUT', url: '/__admin/scenarios/it', payload: { rules, active: true } } as const
  const seen = async (settings: Partial<Settings>) => {
    const server = await build(t, { ...VARYING, ...settings })
    await server.app.inject(definition)
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
  const first = await answers(server, each)
  const file = (await server.app.inject('/__admin/requests?format=scenario')).payload
  const again = await build(t, { ...VARYING, vary: false })
  const defined = await again.app.inject({
    method: 'PUT',
    url: '/__admin/scenarios/again',
    headers: { 'content-type': 'application/yaml' },
    payload: `${file}active: true\n`,
  })
  t.equal(defined.statusCode, 200, 'it is a scenario')
  for (const [at, response] of (await answers(again, each)).entries()) {
    t.equal(response.statusCode, first[at]!.statusCode, `${all[at]!.id}: its status`)
    t.strictSame(response.json(), first[at]!.json(), `${all[at]!.id}: its body`)
  }
})

t.test('pages of other origins may read what was varied', async (t) => {
  const response = await send(await build(t, VARYING), uploadSignature, { headers: { origin: 'http://app.test' } })
  t.match(response.headers['access-control-expose-headers'], 'X-Mock-Varied', 'it is exposed')
})

/** An answer as it came, with the names of its headers as they were written. */
async function overWire(base: string) {
  const { url, headers } = requestOf(listCreditHistories)
  const sent = get(base + url, { headers: headers as Record<string, string>, agent: false })
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { names: namedIn(response as never), rawHeaders: response.rawHeaders, text: await textOf(response) }
}

t.test('on the wire, names of headers are in another case, and the body comes in chunks', async (t) => {
  const { url } = await listening(t, VARYING)
  for (let time = 0; time < 60; time++) {
    const { names, rawHeaders, text } = await overWire(url)
    const written = (lower: string) => rawHeaders.find((name) => name.toLowerCase() === lower)
    const cases: Readonly<Record<string, string>> = { title: 'Content-Type', upper: 'CONTENT-TYPE' }
    t.equal(written('content-type'), cases[names.get('header-case') ?? ''] ?? 'content-type', 'the case is as named')
    t.equal(written('transfer-encoding') !== undefined, names.has('chunked'), 'so is the way that it is sent')
    t.equal(written('content-length') === undefined, names.has('chunked'), 'with its length, or in chunks')
    const [type] = [...rawHeaders.entries()].filter(([, name]) => name === written('content-type'))
    t.match(rawHeaders[type![0] + 1], /^application\/json(; ?charset=utf-8)?$/i, 'JSON')
    const usual = rawHeaders[type![0] + 1] === 'application/json; charset=utf-8'
    t.equal(usual, !names.has('content-type'), 'its type is as named')
    t.equal(JSON.parse(text).page, 1, 'all of the body arrives')
  }
})

t.test('a client that knows no chunks is sent none', async (t) => {
  const { port } = await listening(t, VARYING)
  const { url, headers } = requestOf(listCreditHistories)
  const { authorization } = headers as Record<string, string>
  for (let time = 0; time < 20; time++) {
    const { text } = await untilClosed(port, head([`GET ${url} HTTP/1.0`, `Authorization: ${authorization}`]))
    const [fields = '', body = ''] = text.split(/\r\n\r\n(?=\s*\{)/)
    t.notMatch(fields, /chunked/i, 'neither in words nor in deed')
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
  const words = ['exec', '--vary', ...gates, '--coverage', 'run.json', '--', process.execPath, 'client.mjs']
  const { code, err } = await run(t, words, { cwd: place })
  t.equal(code, 0, 'all is well', { err })
  const { outcomes, pages } = JSON.parse(readFileSync(join(place, 'run.json'), 'utf8'))
  t.equal(outcomes['listCreditHistories:200'].count, 30, 'each success is reported')
  t.equal(pages.first, 30, 'and what it was about')
})

t.test('verify finds no drift in answers that vary', async (t) => {
  const { url } = await listening(t, VARYING)
  const { code, out } = await run(t, ['verify', '--target', url, '--token', 'token-admin', '--allow-writes'])
  t.equal(code, 0, 'nothing that is documented is otherwise')
  t.match(out, /~ [^\n]*I-0[12] {2}/, 'but our readings are')
})

t.test('under other readings, too, answers vary without a deviation', async (t) => {
  const server = await build(t, { ...VARYING, readings: others })
  for (const contract of all) {
    const { responses } = contractUnder(contract, others)
    const wanted = [{}, ...Object.keys(responses).map((status) => ({ headers: { prefer: `code=${status}` } }))]
    for (let time = 0; time < 20; time++) {
      for (const changes of wanted) {
        const response = await send(server, contract, changes)
        t.strictSame(lastExchange(server).deviations, [], `${contract.id}:${response.statusCode}`)
      }
    }
  }
})

t.test('the document is printed as a server with the same options serves it', async (t) => {
  const printed = JSON.parse((await run(t, ['openapi', '--vary'])).out)
  t.ok('201' in printed.paths['/client/signature'].post.responses, '201 is there')
})
