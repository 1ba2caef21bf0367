import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder, run as runBinary } from '../binary.js'
import { run } from '../command-line.js'
import { HISTORIES, INVITE } from '../paths.js'
import { type Call, node, runExec, withClient } from './client.js'

t.test('JUnit and markdown files escape what a client sent', async (t) => {
  const cwd = folder(t)
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
  const files = ['--junit', 'new/junit.xml', '--summary', 'new/summary.md']
  const args = [...files, '--fail-on', 'violations:all,unmatched', '--require', 'verifyDocument:404']
  await runExec(t, args, [{ path: '/a<b>"&amp;|`x`' }, { path: `${HISTORIES}&%3Cscript%3E%0A::x=%5Bx%5D` }], { cwd })
  const junit = read('new/junit.xml')
  t.match(
    junit,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites .* tests="3" failures="3" skipped="0" time="\d+\.\d{3}">/,
  )
  const text = junit.replaceAll(/<\?xml[^>]*>|<\/?\w+(?: \w+="[^"<>]*")*\/?>/g, '')
  t.equal(text.match(/[<>]|&(?!\w+;|#\d+;)/), null, 'JUnit is well-formed')
  const opened = junit.match(/<\w+(?: \w+="[^"<>]*")*>/g)
  t.notMatch(junit, /^::/m, 'no line begins with a name that a client sent')
  t.equal(junit.match(/<\/\w+>/g)?.length, opened?.length, 'each tag of JUnit is closed')
  const summary = read('new/summary.md')
  t.match(summary, '❌ 3 failures', 'the summary counts the failures')
  t.notMatch(summary.replaceAll(/`[^`]*`/g, ''), /<script|\[x\]/, 'the summary escapes what a client sent')

  await runExec(t, [...files, '--fail-on', 'violations'], [{ path: HISTORIES }], { cwd })
  t.match(read('new/junit.xml'), 'tests="1" failures="0"', 'JUnit of a run that passes')
  t.match(read('new/summary.md'), '✅', 'the summary of a run that passes')
})

t.test('every report shows that the command failed', async (t) => {
  for (const [words, code, message] of [
    [node('process.exit(7)'), 7, 'The command exited with status 7.'],
    [node('process.kill(process.pid, "SIGTERM")'), 143, 'The command was terminated by SIGTERM (status 143).'],
    [['--', 'no-such-command'], 127, "'no-such-command' cannot be run: the command does not exist."],
  ] as const) {
    const cwd = folder(t, { 'step.md': '' })
    const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'step.md') }
    const files = ['--junit', 'j.xml', '--summary', 's.md']
    const { err, ...ended } = await run(t, ['exec', ...files, '--fail-on', 'violations', ...words], { cwd, env })
    t.equal(ended.code, code, message)
    t.match(err, `: violations.\n\ncountersign: ${message}\n::error title=countersign::${message}\n`)
    const head = `## countersign\n\n❌ ${message}\n\n⚠️ Not judged, because the command did not succeed: violations.\n`
    for (const name of ['s.md', 'step.md']) t.equal(read(name).trimStart().slice(0, head.length), head, name)
    t.match(read('j.xml'), 'tests="2" failures="1"', `${message} JUnit counts it`)

    const ungated = await run(t, ['exec', ...files, ...words], { cwd })
    t.notMatch(ungated.err + read('s.md'), /✅|passed/, `${message} Without gates, no success is shown`)
    t.match(read('j.xml'), 'tests="1" failures="1"', `${message} JUnit counts it without gates`)
  }
})

t.test('reports and output contain no secret and no control character', async (t) => {
  const secret = 'sEcReT+tok/en=='
  const cwd = folder(t, { 'step.md': '' })
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'step.md') }
  const encoded = encodeURIComponent(secret)
  const authorization = `Bearer ${secret}`
  const files = ['--junit', 'j.xml', '--summary', 's.md', '--coverage', 'c.json']
  const form = { token: secret, 'data[0][role]': secret, '##[error]here': '' }
  const hostile = '%1b%5b2J%0a::error::%e2%80%ae%23%23vso[x]'
  const sent: readonly Call[] = [
    { path: HISTORIES, headers: { authorization: secret } },
    { path: HISTORIES, headers: { authorization: `Bearer ${authorization}` } },
    { path: `${HISTORIES}&access_token=${encoded}` },
    { path: `${HISTORIES}&token=${secret}&${hostile}=${encoded}`, headers: { authorization } },
    { path: `/nowhere/${encoded}?api_key=${secret}`, headers: { authorization } },
    { path: INVITE, method: 'POST', headers: { authorization }, form },
    { path: HISTORIES, headers: { 'x-auth-token': secret, cookie: `session=${secret}` } },
  ]
  const words = withClient(['--auth', 'any', ...files, '--fail-on', 'violations:all,unmatched'], sent)
  const { out, err } = await runBinary(t, words, { cwd, env })
  const read = (file: string) => readFileSync(join(cwd, file), 'utf8')
  const texts = { out, err, junit: read('j.xml'), summary: read('s.md'), step: read('step.md'), json: read('c.json') }
  for (const [report, text] of Object.entries(texts)) {
    t.notOk(text.includes('sEcReT'), `${report}: no secret`)
    t.notOk(text.includes(encoded), `${report}: no encoded secret`)
  }
  t.match(Object.values(texts).join(), '[redacted]', 'it is replaced')
  const annotations = err.match(/^\s*::.*$/gm) ?? []
  for (const line of annotations) t.match(line, /^::error title=/, 'every command for GitHub is one of ours')
  t.match(err, '# #[error]here', 'a workflow command within a line is broken up')
  t.notMatch(err, /##\w*\[/)
  for (const text of [annotations.join('\n'), texts.step]) {
    t.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/, 'no control character')
    t.match(text, /::error::/, 'the sent text is shown')
  }
})
