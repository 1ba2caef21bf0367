import t, { type Test } from 'tap'
import { listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { FAULTS, type Fault } from '../../src/engine/files/scenario.js'
import { until } from '../binary.js'
import { aBrowser, noBrowser } from '../browser.js'
import { adminOf, build, folderOf, lastExchange, playing, requestOf, type Server, sendTo } from '../helper.js'
import { head, listening, untilClosed } from '../wire.js'

/** What comes over the connection of each fault: all that is sent, and the error with which it ends. */
const seen: Readonly<Record<Fault, { readonly text: RegExp; readonly error: string | undefined }>> = {
  CONNECTION_RESET_BY_PEER: { text: /^$/, error: 'ECONNRESET' },
  EMPTY_RESPONSE: { text: /^$/, error: undefined },
  MALFORMED_RESPONSE_CHUNK: { text: /^HTTP\/1\.1 200 OK\r\n[\s\S]*chunked\r\n\r\nnot a chunk size/, error: undefined },
  RANDOM_DATA_THEN_CLOSE: { text: /^(?!HTTP)[\s\S]/, error: undefined },
  TIMEOUT: { text: /^$/, error: 'no answer in time' },
}

const HANGING = 60_000
const HISTORIES = listCreditHistories.path

async function called(server: Server): Promise<number> {
  return (await adminOf(server).call('GET', 'sandboxes')).json().root.requests
}

for (const fault of FAULTS) {
  t.test(`${fault} breaks the connection, by header, query and scenario`, async (t) => {
    const { server, url, port } = await listening(t)
    const scenario = await playing(t, [{ on: '*', answer: { fault } }])
    const scenarioPort = Number(new URL(await scenario.listen()).port)
    const patience = fault === 'TIMEOUT' ? 1_000 : undefined
    const get = (path: string, ...lines: string[]) => head(`GET ${path} HTTP/1.1`, 'Host: x', ...lines)
    for (const [way, at, sent, where, cause] of [
      ['header', port, get(HISTORIES, `Prefer: fault=${fault}`), server, 'prefer'],
      ['query', port, get(`${HISTORIES}?__fault=${fault}`), server, 'prefer'],
      ['scenario', scenarioPort, get(HISTORIES), scenario, 'scenario:it#1'],
    ] as const) {
      t.match(await untilClosed(at, sent, patience), seen[fault], `by ${way}: the client sees the fault`)
      const entry = { cause, status: null, outcome: null, response: { fault, body: null }, duration: Number }
      t.match(await lastExchange(where), entry, `by ${way}: the journal records the fault and no outcome`)
    }
    t.match(await sendTo(url, listCreditHistories), { status: 200 }, 'the next call is answered')
  })
}

t.test('a page of another origin sees a body that fails, not a call that CORS blocks', async (t) => {
  const { port } = await listening(t)
  const line = `GET ${HISTORIES}?__fault=MALFORMED_RESPONSE_CHUNK HTTP/1.1`
  const { text } = await untilClosed(port, head(line, 'host: localhost', 'origin: https://app.test'))
  t.match(text, /\r\naccess-control-allow-origin: https:\/\/app\.test\r\n/)
})

t.test('the server closes at once while calls hang', async (t) => {
  const { server, url } = await listening(t)
  const calls = FAULTS.flatMap(() => [
    sendTo(url, listCreditHistories, { query: { __fault: 'TIMEOUT' } }),
    sendTo(url, uploadSignature, { query: { __delay: `${HANGING}` } }),
  ])
  const ends = calls.map((call) => call.catch(() => 'cut off'))
  await until(async () => (await called(server)) === calls.length)
  await server.close()
  const cutOff = calls.map(() => 'cut off')
  t.same(await Promise.all(ends), cutOff, 'every call that hangs is cut off')
})

t.test('a fault waits for earlier answers on its connection', async (t) => {
  const { port } = await listening(t)
  const call = (prefer: string) => head('GET /api/v2/credits/histories HTTP/1.1', 'Host: x', `Prefer: ${prefer}`)
  const sent = call('code=401, delay=100') + call('fault=EMPTY_RESPONSE, delay=1')
  const { text, error } = await untilClosed(port, sent)
  t.match(text, /^HTTP\/1\.1 401 [\s\S]*invalid\."\}\}$/, 'the first is answered, and the second is not')
  t.equal(error, undefined)
})

/** How a page of an origin calls a server, over a connection that has served calls before: the status, or the error's name. */
async function callsOf(t: Test, url: string, origin: string): Promise<() => Promise<unknown>> {
  const context = await (await aBrowser()).newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  await page.goto(`${origin}/__admin/health`)
  const { url: path, headers } = requestOf(listCreditHistories)
  const script = `fetch(${JSON.stringify(url + path)}, { headers: ${JSON.stringify(headers)} })
    .then(({ status }) => status, ({ name }) => name)`
  for (let nth = 0; nth < 3; nth++) await page.evaluate(script)
  return () => page.evaluate(script)
}

t.test('a page sees a broken connection once, and its request is not repeated', { skip: noBrowser }, async (t) => {
  for (const fault of ['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE']) {
    for (const host of ['127.0.0.1', 'localhost']) {
      await t.test(`${fault}, a page of ${host}`, async (t) => {
        const rules = [{ on: 'listCreditHistories', times: 1, answer: { fault } }]
        const server = await build(t, { scenarios: folderOf(t, { broken: rules }) })
        const url = await server.listen()
        const call = await callsOf(t, url, url.replace('127.0.0.1', host))
        await adminOf(server).activate('broken')
        const known = await called(server)
        t.equal(await call(), 'TypeError', 'the call fails')
        t.equal(await called(server), known + 1, 'and was made once')
        t.equal(await call(), 200, 'the next call is answered')
      })
    }
  }
})
