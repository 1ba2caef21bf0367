import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import t, { type Test } from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { addOrganizationMember, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { FAULTS, type Fault } from '../../schemas/scenario.js'
import { until } from '../binary.js'
import { aBrowser, noBrowser } from '../browser.js'
import {
  adminOf,
  build,
  type Changes,
  fetched,
  folderOf,
  lastExchange,
  playing,
  requestOf,
  type Server,
  type Settings,
} from '../helper.js'
import { head, untilClosed } from '../wire.js'

/** Milliseconds after which a client gives up: soon where silence is expected. */
const patienceFor = (fault?: Fault) => (fault === 'TIMEOUT' ? 1_000 : 30_000)

interface Call {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

function callOf(base: string, contract: Contract, changes?: Changes): Call {
  const { method, url, headers, payload } = requestOf(contract, changes)
  return { url: base + url, method, headers, body: payload } as Call
}

/** What each client tells its caller: a status where an answer came whole, else the code of the error. */
const clients: Readonly<Record<string, (call: Call, patience: number) => Promise<string>>> = {
  fetch: async ({ url, ...init }, patience) => {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patience) })
      await response.text()
      return String(response.status)
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string; name?: string } }
      // Node 24 names the error, and gives it no code.
      return cause?.code ?? cause?.name ?? name
    }
  },

  'node:http': ({ url, body, ...options }, patience) =>
    new Promise((resolve) => {
      const sent = request(url, { ...options, agent: false, timeout: patience }, (response) => {
        response.on('error', ({ code }: NodeJS.ErrnoException) => resolve(`${code}`))
        response.on('end', () => resolve(String(response.statusCode)))
        response.resume()
      })
      sent.on('error', ({ code }: NodeJS.ErrnoException) => resolve(`${code}`))
      sent.on('timeout', () => {
        resolve('timeout')
        sent.destroy()
      })
      sent.end(body)
    }),

  curl: ({ url, method, headers, body }, patience) =>
    new Promise((resolve) => {
      const fields = Object.entries({ ...headers, expect: '' }).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
      const data = body === undefined ? [] : ['--data-binary', '@-']
      const told = '-s -S -g -o /dev/null -w %{http_code}'.split(' ')
      const args = [...told, '-m', `${patience / 1_000}`, '-X', method, ...fields, ...data, url]
      const child = execFile(CURL, args, (error, out) => resolve(error === null ? out : `exit ${error.code}`))
      child.stdin?.on('error', () => {})
      child.stdin?.end(body)
    }),
}

const HANGING = 60_000
const CURL = '/usr/bin/curl'
const skip = (client: string) => (client === 'curl' && !existsSync(CURL) ? `${CURL} is not installed here` : false)

const seen: Readonly<Record<Fault, Readonly<Record<string, RegExp>>>> = {
  CONNECTION_RESET_BY_PEER: { fetch: /^ECONNRESET$/, 'node:http': /^ECONNRESET$/, curl: /^exit 56$/ },
  EMPTY_RESPONSE: { fetch: /^UND_ERR_SOCKET$/, 'node:http': /^ECONNRESET$/, curl: /^exit 52$/ },
  MALFORMED_RESPONSE_CHUNK: {
    fetch: /^(HPE_INVALID_CHUNK_SIZE|HTTPParserError|UND_ERR_SOCKET)$/,
    'node:http': /^HPE_INVALID_CHUNK_SIZE$/,
    curl: /^exit 56$/,
  },
  RANDOM_DATA_THEN_CLOSE: {
    fetch: /^(HPE_INVALID_CONSTANT|HTTPParserError)$/,
    'node:http': /^HPE_INVALID_CONSTANT$/,
    curl: /^exit 1$/,
  },
  TIMEOUT: { fetch: /^TimeoutError$/, 'node:http': /^timeout$/, curl: /^exit 28$/ },
}

async function called(server: Server): Promise<number> {
  return (await adminOf(server).call('GET', 'sandboxes')).json().root.requests
}

async function listening(t: Test, settings: Partial<Settings> = {}) {
  const server = await build(t, settings)
  return { server, url: await server.listen() }
}

for (const [client, call] of Object.entries(clients)) {
  t.test(`${client} meets each fault, however it is asked for`, { skip: skip(client) }, async (t) => {
    const { server, url } = await listening(t)
    for (const fault of FAULTS) {
      t.test(fault, async (t) => {
        const scenario = await playing(t, [{ on: '*', answer: { fault } }])
        const scenarioUrl = await scenario.listen()
        const byHeader = callOf(url, listCreditHistories, { headers: { prefer: `fault=${fault}` } })
        const byQuery = callOf(url, addOrganizationMember, { query: { __fault: fault } })
        for (const [way, made, where, cause] of [
          ['header', byHeader, server, 'prefer'],
          ['query', byQuery, server, 'prefer'],
          ['scenario', callOf(scenarioUrl, uploadSignature), scenario, 'scenario:it#1'],
        ] as const) {
          t.match(await call(made, patienceFor(fault)), seen[fault][client], `by ${way}: the client sees the fault`)
          const entry = { cause, status: null, outcome: null, response: { fault, body: null }, duration: Number }
          t.match(await lastExchange(where), entry, `by ${way}: the journal records the fault and no outcome`)
        }
        t.equal(await call(callOf(url, listCreditHistories), patienceFor()), '200', 'the next call is answered')
      })
    }
  })
}

t.test('a client that gives up on a late answer is recorded with the rule and without an outcome', async (t) => {
  const server = await playing(t, [{ on: '*', answer: { delay: 60_000 } }])
  const url = await server.listen()
  const { url: address, ...init } = callOf(url, listCreditHistories)
  const leaving = new AbortController()
  const left = fetch(address, { ...init, signal: leaving.signal }).catch(({ name }) => name)
  await until(async () => (await called(server)) > 0)
  leaving.abort()
  t.equal(await left, 'AbortError', 'the client gives up')
  await until(async () => (await adminOf(server).requests()).length > 0)
  const told = { cause: 'scenario:it#1', status: null, outcome: null, response: null }
  const trace = { why: 'aborted: the connection ended before the answer' }
  t.match(await lastExchange(server), { ...told, trace }, 'the journal records the rule, no outcome, and why')
})

t.test('a page of another origin sees a body that fails, and not a call that is blocked', async (t) => {
  const { url } = await listening(t)
  const { port } = new URL(url)
  const line = `GET ${listCreditHistories.path}?__fault=MALFORMED_RESPONSE_CHUNK HTTP/1.1`
  const { text } = await untilClosed(Number(port), head(line, 'host: localhost', 'origin: https://app.test'))
  t.match(text, /^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json/)
  t.match(text, /\r\naccess-control-allow-origin: https:\/\/app\.test\r\n/)
  t.match(text, /\r\ntransfer-encoding: chunked\r\n\r\nnot a chunk size/)
})

t.test('the server closes at once while calls hang', async (t) => {
  const { server, url } = await listening(t)
  const calls = FAULTS.flatMap(() => [
    callOf(url, listCreditHistories, { query: { __fault: 'TIMEOUT' } }),
    callOf(url, uploadSignature, { query: { __delay: `${HANGING}` } }),
  ])
  const ends = calls.map(async ({ url, ...init }) => (await fetched(url, init).catch(() => undefined)) ?? 'cut off')
  await until(async () => (await called(server)) === calls.length)
  await server.close()
  const cutOff = calls.map(() => 'cut off')
  t.same(await Promise.all(ends), cutOff, 'every call that hangs is cut off')
})

type PageCall = (contract: Contract) => Promise<unknown>

t.test('a fault comes after the answers before it on its connection', async (t) => {
  const url = await (await build(t)).listen()
  const call = (prefer: string) => head('GET /api/v2/credits/histories HTTP/1.1', 'Host: x', `Prefer: ${prefer}`)
  const sent = call('code=401, delay=100') + call('fault=EMPTY_RESPONSE, delay=1')
  const { text, error } = await untilClosed(Number(new URL(url).port), sent)
  t.match(text, /^HTTP\/1\.1 401 [\s\S]*invalid\."\}\}$/, 'the first is answered, and the second is not')
  t.equal(error, undefined)
})

/** How a page of an origin calls a server, over a connection that has served calls before: the status, or the error's name. */
async function callsOf(t: Test, url: string, origin: string): Promise<PageCall> {
  const context = await (await aBrowser()).newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  await page.goto(`${origin}/__admin/health`)
  const call: PageCall = (contract) => {
    const { url: path, method, headers, payload } = requestOf(contract)
    const body = payload === undefined ? 'undefined' : `new TextEncoder().encode(${JSON.stringify(String(payload))})`
    return page.evaluate(
      `fetch(${JSON.stringify(url + path)}, { ...${JSON.stringify({ method, headers })}, body: ${body} })
        .then(({ status }) => status, ({ name }) => name)`,
    )
  }
  for (let nth = 0; nth < 3; nth++) await call(listCreditHistories)
  return call
}

t.test('a page sees a broken connection once, and sends nothing again', { skip: noBrowser }, async (t) => {
  for (const fault of ['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE']) {
    for (const host of ['127.0.0.1', 'localhost']) {
      await t.test(`${fault}, a page of ${host}`, async (t) => {
        const rules = [{ on: 'listCreditHistories', times: 1, answer: { fault } }]
        const server = await build(t, { scenarios: folderOf(t, { broken: rules }) })
        const url = await server.listen()
        const call = await callsOf(t, url, url.replace('127.0.0.1', host))
        await adminOf(server).activate('broken')
        const known = await called(server)
        t.equal(await call(listCreditHistories), 'TypeError', 'the call fails')
        t.equal(await called(server), known + 1, 'and was made once')
        t.equal(await call(listCreditHistories), 200, 'the next call is answered')
      })
    }
  }

  await t.test('the scenario saved-but-failed', async (t) => {
    const server = await build(t, { scenarios: 'fixtures/scenarios' })
    const url = await server.listen()
    const call = await callsOf(t, url, url.replace('127.0.0.1', 'localhost'))
    await adminOf(server).activate('saved-but-failed')
    const known = await called(server)
    t.equal(await call(addOrganizationMember), 'TypeError', 'the call fails')
    t.equal(await called(server), known + 1, 'and was made once')
    t.equal((await adminOf(server).mails()).length, 1, 'yet its invitation was sent')
    t.equal(await call(addOrganizationMember), 200, 'the next call is answered')
  })
})
