import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { listCreditHistories } from '../../schemas/index.js'
import { sampleBody } from '../../src/engine/contract/envelopes.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { fetchUrl } from '../helper.js'
import { head } from '../wire.js'
import { histories, inFront, jsonAnswer, provider, type RawAnswer, rawProvider } from './provider.js'

const TOKEN = { authorization: 'Bearer token-of-theirs' }

t.test('a provider’s answers can be saved as a scenario that gives the same answers', async (t) => {
  const body = sampleBody(listCreditHistories, 200)
  const { url } = await provider(t, (_, response) => {
    const zipped = gzipSync(JSON.stringify(body))
    const head = { 'content-type': 'application/json', etag: '"1"', 'x-theirs': 'kept' }
    response.writeHead(200, { ...head, 'content-encoding': 'gzip', 'content-length': zipped.length }).end(zipped)
  })
  const { url: mock } = await inFront(t, url)
  await fetchUrl(mock + histories.url, { headers: TOKEN })
  const { body: scenario } = await fetchUrl(`${mock}/__admin/requests?format=scenario`)
  const { url: withoutProvider } = await inFront(t, url, { provider: undefined } as never)
  const sent = { headers: { 'content-type': 'application/yaml' }, body: `${scenario}\nactive: true\n` }
  const put = await fetchUrl(`${withoutProvider}/__admin/scenarios/recorded`, { method: 'PUT', ...sent })
  t.equal(put.status, 200, 'the scenario is accepted', { body: put.body, scenario })
  const replayed = await fetchUrl(withoutProvider + histories.url, { headers: { authorization: 'Bearer token-admin' } })
  t.strictSame(replayed.body, body, 'it gives the same body')
  t.equal(replayed.headers['x-theirs'], 'kept', 'it gives the provider’s headers')
})

const CLIENT = `
const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
const answer = await fetch(url + process.argv[2], { headers: { authorization: 'Bearer ' + token } })
await answer.text().catch(() => {})`

async function execWith(t: Test, answer: RawAnswer, ...args: string[]) {
  const { url, requests } = await rawProvider(t, answer)
  const client = join(folder(t, { 'client.mjs': CLIENT }), 'client.mjs')
  const command = [process.execPath, client, histories.url]
  return { requests, ...(await run(t, ['exec', '--provider', url, ...args, '--', ...command])) }
}

const good = sampleBody(listCreditHistories, 200) as object

t.test(
  'the gate for deviations passes if a provider answers as documented, and its answers satisfy --require',
  async (t) => {
    const gate = ['--fail-on', 'deviations,violations', '--require', 'listCreditHistories:200']
    const { code, requests } = await execWith(t, jsonAnswer(good), ...gate, '--provider-token', 'real')
    t.equal(code, 0)
    t.match(String(requests[0]), 'Bearer real')
  },
)

t.test('the gate for deviations fails if a provider’s answer is incomplete or cannot be read', async (t) => {
  const headWith = (...more: string[]) => head('HTTP/1.1 200 OK', 'Content-Type: application/json', ...more)
  for (const [answer, message] of [
    [`${headWith('Content-Length: 500')}{"page":`, /not checked\n +'http.*' broke off its answer/],
    [
      `${headWith('Content-Length: 2', 'Content-Encoding: x')}{}`,
      /not checked\n +.* Content-Encoding 'x' is not decoded\. /,
    ],
  ] as const)
    t.match(await execWith(t, (socket) => socket.end(answer), '--fail-on', 'deviations'), { code: 1, err: message })
})

t.test('reports redact a token that the provider echoes', async (t) => {
  const echo = jsonAnswer({ ...good, total: 'token-admin' })
  const { code, err } = await execWith(t, echo, '--fail-on', 'deviations')
  t.match({ code, err }, { code: 1, err: /✗ deviations .* at body\.total\n.*\[redacted\]/ }, 'the gate fails')
  t.notMatch(err, 'token-admin', 'the token is not shown')
})
