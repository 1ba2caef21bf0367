import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { listCreditHistories } from '../../schemas/index.js'
import { folder, UNHOOKED } from '../binary.js'
import { run } from '../command-line.js'
import { histories, jsonAnswer, rawProvider } from './provider.js'

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

t.test('what departs from a reading alone is different, and not wrong', async (t) => {
  const unknown = jsonAnswer(sampleBody(listCreditHistories, 401), [], '404 Not Found')
  for (const [status, answer] of [
    [201, jsonAnswer(good, [], '201 Created')],
    [404, unknown],
  ] as const) {
    const { code, err } = await judge(t, answer, '--fail-on', 'deviations', '--log-requests')
    t.match(err, new RegExp(`deviation, reading: .*declares 200, 400, 401, not ${status}`), `${status} is told`)
    t.equal(code, 0, `${status} fails no gate`)
  }
})

t.test('a provider that says the token back gets it into no report', async (t) => {
  const echo = jsonAnswer({ ...good, total: 'token-admin' })
  const { code, err } = await judge(t, echo, '--fail-on', 'deviations')
  t.match({ code, err }, { code: 1, err: /✗ deviations .* at body\.total\n.*\[redacted\]/ }, 'it fails')
  t.notMatch(err, 'token-admin', 'the token is not there')
})
