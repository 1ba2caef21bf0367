import t, { type Test } from 'tap'
import { listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { FAULTS, type Fault } from '../../src/engine/files/scenario.js'
import { until } from '../binary.js'
import { sharedBrowser, skipWithoutBrowser } from '../browser.js'
import { adminOf, build, folderOf, lastExchange, requestOf, type Server, sendTo, withRules } from '../helper.js'
import { head, listeningServer, untilClosed } from '../wire.js'

/** The text and the error that a client gets for each fault. */
const received: Readonly<Record<Fault, { readonly text: RegExp; readonly error: string | undefined }>> = {
  CONNECTION_RESET_BY_PEER: { text: /^$/, error: 'ECONNRESET' },
  EMPTY_RESPONSE: { text: /^$/, error: undefined },
  MALFORMED_RESPONSE_CHUNK: { text: /^HTTP\/1\.1 200 OK\r\n[\s\S]*chunked\r\n\r\nnot a chunk size/, error: undefined },
  RANDOM_DATA_THEN_CLOSE: { text: /^(?!HTTP)[\s\S]/, error: undefined },
  TIMEOUT: { text: /^$/, error: 'no answer in time' },
}

const LONG_DELAY = 60_000
const HISTORIES = listCreditHistories.path

async function countCalls(server: Server): Promise<number> {
  return (await adminOf(server).call('GET', 'sandboxes')).json().root.requests
}

for (const fault of FAULTS) {
  t.test(`${fault} breaks the connection, by header, query and scenario`, async (t) => {
    const { server, url, port } = await listeningServer(t)
    const scenario = await withRules(t, [{ on: '*', answer: { fault } }])
    const scenarioPort = Number(new URL(await scenario.listen()).port)
    const timeout = fault === 'TIMEOUT' ? 1_000 : undefined
    const get = (path: string, ...lines: string[]) => head(`GET ${path} HTTP/1.1`, 'Host: x', ...lines)
    for (const [way, toPort, sent, toServer, cause] of [
      ['header', port, get(HISTORIES, `Prefer: fault=${fault}`), server, 'prefer'],
      ['query', port, get(`${HISTORIES}?__fault=${fault}`), server, 'prefer'],
      ['scenario', scenarioPort, get(HISTORIES), scenario, 'scenario:it#1'],
    ] as const) {
      t.match(await untilClosed(toPort, sent, timeout), received[fault], `by ${way}: the client sees the fault`)
      const entry = { cause, status: null, outcome: null, response: { fault, body: null }, duration: Number }
      t.match(await lastExchange(toServer), entry, `by ${way}: the journal records the fault and no outcome`)
    }
    t.match(await sendTo(url, listCreditHistories), { status: 200 }, 'the next call is answered')
  })
}

t.test('a broken body has CORS headers, so that a page of another origin sees it fail', async (t) => {
  const { port } = await listeningServer(t)
  const line = `GET ${HISTORIES}?__fault=MALFORMED_RESPONSE_CHUNK HTTP/1.1`
  const { text } = await untilClosed(port, head(line, 'host: localhost', 'origin: https://app.test'))
  t.match(text, /\r\naccess-control-allow-origin: https:\/\/app\.test\r\n/)
})

t.test('the server closes at once, even while calls hang', async (t) => {
  const { server, url } = await listeningServer(t)
  const calls = FAULTS.flatMap(() => [
    sendTo(url, listCreditHistories, { query: { __fault: 'TIMEOUT' } }),
    sendTo(url, uploadSignature, { query: { __delay: `${LONG_DELAY}` } }),
  ])
  const ends = calls.map((call) => call.catch(() => 'cut off'))
  await until(async () => (await countCalls(server)) === calls.length)
  await server.close()
  const cutOff = calls.map(() => 'cut off')
  t.same(await Promise.all(ends), cutOff, 'every call that hangs is cut off')
})

t.test('a fault waits for earlier answers on its connection', async (t) => {
  const { port } = await listeningServer(t)
  const call = (prefer: string) => head('GET /api/v2/credits/histories HTTP/1.1', 'Host: x', `Prefer: ${prefer}`)
  const sent = call('code=401, delay=100') + call('fault=EMPTY_RESPONSE, delay=1')
  const { text, error } = await untilClosed(port, sent)
  t.match(text, /^HTTP\/1\.1 401 [\s\S]*invalid\."\}\}$/, 'only the first call is answered')
  t.equal(error, undefined)
})

/** Makes a page of this origin call the server over a used connection: gives the status, or the error's name. */
async function callFromPage(t: Test, url: string, origin: string): Promise<() => Promise<unknown>> {
  const context = await (await sharedBrowser()).newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  await page.goto(`${origin}/__admin/health`)
  const { url: path, headers } = requestOf(listCreditHistories)
  const script = `fetch(${JSON.stringify(url + path)}, { headers: ${JSON.stringify(headers)} })
    .then(({ status }) => status, ({ name }) => name)`
  for (let nth = 0; nth < 3; nth++) await page.evaluate(script)
  return () => page.evaluate(script)
}

t.test('a browser does not repeat a request whose connection breaks', { skip: skipWithoutBrowser }, async (t) => {
  for (const fault of ['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE']) {
    for (const host of ['127.0.0.1', 'localhost']) {
      await t.test(`${fault}, a page of ${host}`, async (t) => {
        const rules = [{ on: 'listCreditHistories', times: 1, answer: { fault } }]
        const server = await build(t, { scenarios: folderOf(t, { broken: rules }) })
        const url = await server.listen()
        const call = await callFromPage(t, url, url.replace('127.0.0.1', host))
        await adminOf(server).activate('broken')
        const before = await countCalls(server)
        t.equal(await call(), 'TypeError', 'the call fails')
        t.equal(await countCalls(server), before + 1, 'the server gets one request')
        t.equal(await call(), 200, 'the next call is answered')
      })
    }
  }
})
