import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { listCreditHistories } from '../../schemas/index.js'
import { folder, UNHOOKED } from '../binary.js'
import { run } from '../command-line.js'
import { fetched } from '../helper.js'
import { freePort, histories, inFront, jsonAnswer, provider, rawProvider } from './provider.js'

const TOKEN = { authorization: 'Bearer token-of-theirs' }

t.test('what a provider answered is recorded as a scenario that answers the same', async (t) => {
  const body = sampleBody(listCreditHistories, 200)
  const { url } = await provider(t, (_, response) => {
    const zipped = gzipSync(JSON.stringify(body))
    const head = { 'content-type': 'application/json', etag: '"1"', 'x-theirs': 'kept' }
    response.writeHead(200, { ...head, 'content-encoding': 'gzip', 'content-length': zipped.length }).end(zipped)
  })
  const { url: mock } = await inFront(t, url)
  await fetched(mock + histories.url, { headers: TOKEN })
  const { body: scenario } = await fetched(`${mock}/__admin/requests?format=scenario`)
  const { url: alone } = await inFront(t, url, { provider: undefined } as never)
  const sent = { headers: { 'content-type': 'application/yaml' }, body: `${scenario}\nactive: true\n` }
  const put = await fetched(`${alone}/__admin/scenarios/recorded`, { method: 'PUT', ...sent })
  t.equal(put.status, 200, 'it is taken', { said: put.body, scenario })
  const again = await fetched(alone + histories.url, { headers: { authorization: 'Bearer token-admin' } })
  t.strictSame(again.body, body, 'and answers the same')
  t.equal(again.headers['x-theirs'], 'kept', 'with the headers that are not of one connection')
})

t.test('the gate for deviations fails where the provider does not answer', async (t) => {
  const dead = `http://127.0.0.1:${await freePort()}`
  const script = `await fetch(process.env.COUNTERSIGN_URL + ${JSON.stringify(histories.url)}, { headers: { authorization: 'Bearer token-admin' } })`
  const command = [...UNHOOKED, process.execPath, `${folder(t, { 'client.mjs': script })}/client.mjs`]
  for (const more of [[], ['--fallback', '--require', 'listCreditHistories:200']]) {
    const options = ['--provider', dead, '--fail-on', 'deviations', ...more]
    const { code, err } = await run(t, ['exec', ...options, '--', ...command])
    const says =
      /✗ deviations {2}the provider did not answer\n +Nothing listens at .*\(once\) These answers could not be checked\./
    t.match([code, err], [1, says], more[0] ?? 'alone')
  }
  const begun = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"page":'
  const { url } = await rawProvider(t, (socket) => socket.end(begun))
  const heedless = [...UNHOOKED, process.execPath, '-e', `${script.slice(6)}.then((one) => one.text()).catch(() => {})`]
  const broken = await run(t, ['exec', '--provider', url, '--fail-on', 'deviations', '--', ...heedless])
  t.match(broken, { code: 1, err: /the provider did not answer\n +'http.*' broke off its answer/ }, 'or breaks off')
})

const CLIENT = `
const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
await fetch(url + process.argv[2], { headers: { authorization: 'Bearer ' + token } }).then((one) => one.text())`

async function judge(t: Test, answer: string, ...args: string[]) {
  const { url, requests } = await rawProvider(t, answer)
  const client = join(folder(t, { 'client.mjs': CLIENT }), 'client.mjs')
  const command = [...UNHOOKED, process.execPath, client, histories.url]
  return { requests, ...(await run(t, ['exec', '--provider', url, ...args, '--', ...command])) }
}

const good = sampleBody(listCreditHistories, 200) as object

t.test('--fail-on deviations finds what the provider does otherwise than the document', async (t) => {
  const gate = ['--fail-on', 'deviations,violations', '--require', 'listCreditHistories:200']
  const clean = await judge(t, jsonAnswer(good), ...gate, '--provider-token', 'real')
  t.equal(clean.code, 0, 'a provider as documented passes, and its outcomes count')
  t.match(String(clean.requests[0]), 'Bearer real')
  const err = /✗ deviations {2}listCreditHistories:200: missing-property at body.total/
  const lacking = jsonAnswer({ ...good, total: undefined })
  t.match(await judge(t, lacking, ...gate), { code: 1, err }, 'a missing field is a failure')
})

t.test('a provider that says the token back gets it into no report', async (t) => {
  const echo = jsonAnswer({ ...good, total: 'token-admin' })
  const { code, err } = await judge(t, echo, '--fail-on', 'deviations')
  t.match({ code, err }, { code: 1, err: /✗ deviations .* at body\.total\n.*\[redacted\]/ }, 'it fails')
  t.notMatch(err, 'token-admin', 'the token is not there')
})
