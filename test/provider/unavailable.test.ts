import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { CLI, folder, launch, until } from '../binary.js'
import { run } from '../command-line.js'
import { answering, countersign, freePort, listen, stub, TOKEN, verify } from '../forward/provider.js'

const HELLO = { hello: 'world' }

t.test('a target that is unavailable or not this API gets one sentence and status 3', async (t) => {
  const dead = `http://127.0.0.1:${await freePort()}`
  const mail = createServer((socket) => void socket.end('220 mail.example.test ESMTP\r\n'))
  const silent = await stub(t, () => {})
  const cutOff = await stub(t, ({ socket }) => void socket.destroy())
  const page = await stub(t, answering(200, '<h1>Hello</h1>', 'text/html'))
  for (const [name, url, message, ...argv] of [
    ['nothing', dead, `Nothing listens at '${dead}/client/signature': start the provider there, or correct --target.`],
    ['an unknown host', 'http://nowhere.invalid', /The host 'nowhere\.invalid' of '.+' is unknown: correct --target/],
    ['no HTTP', `http://127.0.0.1:${await listen(t, mail)}`, /is not valid HTTP \(.+\)\. Correct --target/],
    ['no TLS', silent.replace('http', 'https'), /certificate of '.+' is not trusted, or the server does not use TLS/],
    ['silent', silent, /did not answer within 0\.2 s\. .+ or allow more time with --timeout MS/, '--timeout', '200'],
    ['a closed connection', cutOff, /closed the connection before it answered/],
    ['a web site', page, /is not this API: it answers with 200 and 'text\/html'/],
    ['another API', await stub(t, answering(200, HELLO)), /it answers with 200 and 'application\/json'/],
    [
      'a redirect',
      await stub(t, answering(303, '', 'text/plain', { location: '/client/signature' })),
      /not this API: it answers with 303 and a redirect to '.+\/client\/signature'/,
    ],
  ] as const) {
    const { code, text } = await verify(t, url, ...argv)
    t.match({ code, text }, { code: 3, text: message }, `${name}: status 3 and the reason`)
    t.match(text, /\nUnavailable\n {2}\S.+\n\n/, `${name}: in one sentence`)
    t.notMatch(text, new RegExp(`✗|${TOKEN}`), `${name}: no drift, and no token`)
  }
})

t.test('a redirect of the target is not followed', async (t) => {
  const mock = await countersign(t)
  const moved = await stub(t, ({ url }, response) => {
    response.writeHead(301, { location: `${mock.url}/~there${url?.replace('/old', '')}` }).end()
  })
  t.match(await verify(t, `${moved}/old`), { code: 3, text: `--target ${mock.url}/~there\n` }, 'the new base URL')
  t.strictSame(await (await mock.sandbox('there')).requests(), [])
})

t.test('an operation that is unavailable is no drift, and the others are checked', async (t) => {
  const mock = await countersign(t)
  await mock.scenarios.define('down', { rules: [{ on: 'verifyDocument', answer: { status: 503 } }], active: true })
  const { code, text } = await verify(t, mock.url)
  t.match({ code, text }, { code: 3, text: /✓ listCreditHistories/ }, 'the others are as documented')
  t.match(text, /Unavailable\n {2}verifyDocument is unavailable: it answers with 503/, 'once')
  t.equal((await mock.requests({ operation: 'verifyDocument' })).length, 1, 'it is not called again and again')
})

t.test('--wait-until-up waits for a provider that starts', async (t) => {
  const port = await freePort()
  const starting = sleep(700).then(() => countersign(t, { port }))
  const waiting = ['--wait-until-up', '60', '--only', 'verifyDocument']
  const [{ code, text }] = await Promise.all([verify(t, `http://127.0.0.1:${port}`, ...waiting), starting])
  t.equal(code, 0, 'verify passes', { text })
})

t.test('a token that the provider echoes is neither printed nor written', async (t) => {
  const token = 'secret"-token/1'
  const url = await stub(t, (request, response) => {
    const text = JSON.stringify({ message: `${request.headers.authorization} ${'x'.repeat(70)}`, page: token })
    const headers = { 'content-type': `text/${token.replace('"', '')}` }
    response.writeHead(request.headers.authorization === undefined ? 401 : 200, headers).end(text)
  })
  const cwd = folder(t)
  const argv = ['verify', '--target', url, '--token', token, '--json', 'out.json']
  const { code, out } = await run(t, argv, { cwd })
  t.equal(code, 1, 'the answers are drift')
  for (const text of [out, readFileSync(join(cwd, 'out.json'), 'utf8')])
    t.notMatch(text, /secret[\\"]/, 'the token is not shown')
})

t.test('an interrupted run with writes restores the member first', async (t) => {
  const mock = await countersign(t)
  const members = async () => (await mock.state.get()).sub_organization_members ?? []
  const before = JSON.stringify(await members())
  await mock.scenarios.define('slow', { rules: [{ on: '*', answer: { delay: 100 } }], active: true })
  const only = ['--only', 'updateSubOrganizationMember', '--allow-writes']
  const running = launch(t, process.execPath, [CLI, 'verify', '--target', mock.url, '--token', TOKEN, ...only])
  await until(async () => JSON.stringify(await members()) !== before)
  running.child.kill('SIGINT')
  const stopped = { code: 3, out: /The run was stopped before everything was checked\./ }
  t.match(await running.ended, stopped, 'it is reported')
  t.equal(JSON.stringify(await members()), before, 'the member is restored')
})

const commandsIn = (text: string) => text.split('\n').filter((line) => line.trimStart().startsWith('::'))

async function verifyInStep(t: Test, target: string, ...flags: string[]) {
  const cwd = folder(t, { 'step.md': 'Earlier.\n' })
  const file = join(cwd, 'step.md')
  const place = { cwd, env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file } }
  const words = ['verify', '--target', target, '--token', TOKEN, '--retries', '0', ...flags]
  const { code, out, err } = await run(t, words, place)
  return { code, out, err, commands: commandsIn(out), summary: readFileSync(file, 'utf8') }
}

t.test('a drift is annotated as an error, a difference as a warning or, with --strict, an error', async (t) => {
  const mock = await countersign(t, { interpretations: { errorBody: 'flat' } })
  const differs = await verifyInStep(t, mock.url)
  const warning = /^::warning title=differs%3A \w+ \(I-02\)::.+%0ARule: I-02: Error body: /
  t.match(differs, { code: 0, commands: [warning] }, 'a difference passes with a warning')
  t.notMatch(differs.out, /^::error /m, 'there is no error')
  t.match(differs.out, /differs? from an interpretation\.[^\n]*\n::warning /, 'warnings follow the report')

  const strict = await verifyInStep(t, mock.url, '--strict', '--summary', 'step.md')
  const error = /^::error title=differs%3A \w+ \(I-02\)::/
  t.match(strict, { code: 1, commands: [error] }, 'with --strict, it is an error')
  t.match(strict.summary, /^Earlier\.\n\n## countersign verify/, 'the step summary is appended')
  t.equal(strict.summary.match(/## countersign verify/g)?.length, 1, 'once')

  await mock.scenarios.activate('searchProtectedAttachments:500')
  const drift = /^::error title=drift%3A searchProtectedAttachments \(S.+\)::.*500, not \d+/m
  t.match(await verifyInStep(t, mock.url), { code: 1, out: drift }, 'drift fails')
})

t.test('in GitHub Actions, an unavailable provider is an error; an unwritable summary is only reported', async (t) => {
  const { code, commands } = await verifyInStep(t, await stub(t, answering(503, {})))
  t.match({ code, commands }, { code: 3, commands: [/^::error title=unavailable::/] })
  const cwd = folder(t)
  const mock = await countersign(t)
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: cwd }
  const words = ['verify', '--target', mock.url, '--token', TOKEN]
  const reported = { code: 0, err: /^countersign: \.?: The file cannot be written: / }
  t.match(await run(t, words, { cwd, env }), reported, 'a summary that cannot be written is reported')
  t.match(await run(t, [...words, '--summary', '.'], { cwd, env }), { code: 2 }, '--summary fails')
})

t.test('a call whose answer is cut off is not repeated, since it may have taken effect', async (t) => {
  const calls: string[] = []
  const url = await stub(t, ({ url = '' }, response) => {
    calls.push(url)
    response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy())
  })
  const { code, out } = await run(t, ['verify', '--target', url, '--token', TOKEN, '--only', 'uploadSignature'])
  t.match({ code, out, calls: calls.length }, { code: 3, out: /broke off its answer/, calls: 1 })
})

t.test('an occasional 500 is reported once, and is no drift', async (t) => {
  const mock = await countersign(t)
  await mock.scenarios.define('odd', { rules: [{ on: '*', chance: 0.08, answer: { status: 500 } }], active: true })
  const { code, text } = await verify(t, mock.url)
  t.match({ code, text }, { code: 3, text: /The service is unstable: \d+ of \d+ calls got a 500 or 401 first/ })
  t.notMatch(text, '✗')
})
