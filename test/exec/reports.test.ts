import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { outcomeIds } from '../../schemas/scenario.js'
import { folder, run as runBinary } from '../binary.js'
import { exec, HISTORIES, INVITE, judge, node, withClient } from './client.js'

/** How many of all outcomes so many are, as the report says it. */
const percentOf = (outcomes: number) => ((100 * outcomes) / outcomeIds.length).toFixed(1)

t.test('the report is printed without colour where nobody looks', async (t) => {
  const sent = [{ path: HISTORIES }, { path: `${HISTORIES}&sort=amount&page=2` }, { path: '/nowhere' }]
  const { code, err } = await runBinary(t, withClient([], sent))
  t.equal(code, 0, 'without gates nothing is held against a client')
  t.match(err, /^listCreditHistories {13}1 {5}1 {5}- *$/m, 'an operation has a line with its outcomes')
  t.match(err, `2 of ${outcomeIds.length} outcomes met (${percentOf(2)} %)`, 'the met outcomes are counted')
  t.match(err, 'Pages of lists: first 1, last 0', 'the pages that were read are counted')
  t.notMatch(err, '\u001b', 'nothing is coloured')
})

t.test('JUnit and markdown files tell a CI system the same, escaped', async (t) => {
  const cwd = folder(t)
  const files = ['--junit', 'new/junit.xml', '--summary', 'new/summary.md']
  const args = [...files, '--fail-on', 'violations:all,unmatched', '--require', 'verifyDocument:404']
  await judge(t, args, [{ path: '/a<b>"&amp;|`x`' }, { path: `${HISTORIES}&%3Cscript%3E=%5Bx%5D` }], { cwd })
  const junit = readFileSync(join(cwd, 'new/junit.xml'), 'utf8')
  t.match(junit, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="countersign" tests="3" failures="3">/)
  const tags = Array.from(junit.matchAll(/<(\/?)(\w+)((?: \w+="[^"<>]*")*)(\/?)>/g))
  const untagged = junit.replaceAll(/<\?xml[^>]*>|<\/?\w+(?: \w+="[^"<>]*")*\/?>/g, '')
  t.notMatch(untagged, /[<>]|&(?!\w+;|#\d+;)/, 'JUnit is well-formed')
  const [closing, opening] = [tags.filter(([, end]) => end), tags.filter(([, end, , , empty]) => !end && !empty)]
  t.equal(closing.length, opening.length, 'each tag of JUnit is closed')
  for (const gate of ['violations:all', 'unmatched', 'require'])
    t.match(junit, `classname="countersign.${gate}"`, `JUnit has the gate ${gate}`)

  const summary = readFileSync(join(cwd, 'new/summary.md'), 'utf8')
  t.match(summary, '❌ 3 failures', 'the summary counts the failures')
  t.match(summary, '### require\n\n- **`verifyDocument:404`**\n  - The outcome', 'the summary lists them')
  t.match(summary, /^\| listCreditHistories \| 1 \| \*\*0\*\* \|/m, 'the summary has a row for an operation')
  t.notMatch(summary.replaceAll(/`[^`]*`/g, ''), /<script|\[x\]/, 'the summary escapes what a client sent')

  await judge(t, [...files, '--fail-on', 'violations'], [{ path: HISTORIES }], { cwd })
  t.match(readFileSync(join(cwd, 'new/junit.xml'), 'utf8'), 'tests="1" failures="0"', 'JUnit has no failures')
  t.match(readFileSync(join(cwd, 'new/summary.md'), 'utf8'), '✅', 'the summary of a run that passes says so')
})

t.test('a command that fails is told in every report, whatever the gates say', async (t) => {
  const ends: readonly (readonly [words: readonly string[], code: number, says: string])[] = [
    [node('process.exit(7)'), 7, 'The command exited with status 7.'],
    [node('process.kill(process.pid, "SIGTERM")'), 143, 'The command was terminated by SIGTERM (status 143).'],
    [['--', 'no-such-command'], 127, "'no-such-command' cannot be run: the command does not exist."],
  ]
  const passed = '✅ The client passes every gate.'
  for (const [words, code, says] of ends) {
    const cwd = folder(t, { 'step.md': '' })
    const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'step.md') }
    const files = ['--junit', 'j.xml', '--summary', 's.md']
    const ended = await exec(t, ['exec', ...files, '--fail-on', 'violations', ...words], { cwd, env })
    t.equal(ended.code, code, `${says} The exit status is the command's`)
    for (const name of ['s.md', 'step.md'])
      t.ok(read(name).startsWith(`## countersign\n\n❌ ${says}\n\n${passed}\n`), `${says} heads ${name}`, {
        text: read(name),
      })
    t.match(read('j.xml'), 'tests="2" failures="1"', `${says} JUnit counts it`)
    t.match(read('j.xml'), /<testcase classname="countersign\.command" name="command">\n +<failure/)
    t.match(ended.err, `\nAll gates passed.\n\ncountersign: ${says}\n::error title=countersign::${says}\n`, 'both')
    t.equal(ended.err.split(says).length, 3, `${says} Both once`)

    const ungated = await exec(t, ['exec', ...files, ...words], { cwd })
    t.notMatch(ungated.err + read('s.md'), /✅|passed/, `${says} Without gates nothing is praised`)
    t.match(read('j.xml'), 'tests="1" failures="1"', `${says} JUnit has it without gates`)
  }
})

t.test('gates that pass are told only where some are set', async (t) => {
  for (const gate of [
    ['--fail-on', 'violations'],
    ['--min-coverage', '1'],
    ['--require', 'listCreditHistories:200'],
  ]) {
    const { code, err } = await judge(t, gate, [{ path: HISTORIES }])
    t.match({ code, err }, { code: 0, err: /\n\nAll gates passed\.\n$/ }, gate.join(' '))
  }
  for (const none of [[], ['--min-coverage', '0'], ['--fail-on', '']])
    t.notMatch((await judge(t, none, [{ path: HISTORIES }])).err, 'passed', `without a gate: ${none}`)
})

t.test('a report that cannot be written is told, and changes no exit code but that of success', async (t) => {
  const cwd = folder(t, { 'a-file': '', 'a-folder/here': '' })
  const FULL = '/dev/full'
  const places: readonly (readonly [file: string, says: RegExp])[] = [
    ['a-folder', /^countersign: a-folder: The file cannot be written: it is a folder\.$/m],
    ['a-file/below', /^countersign: a-file\/below: The file cannot be written: .+\.$/m],
    ['x'.repeat(300), /^countersign: x{300}: The file cannot be written: its name is too long\.$/m],
    ...(existsSync(FULL)
      ? [[FULL, /^countersign: .*\/dev\/full: The file cannot be written: there is no space left\.$/m] as const]
      : []),
  ]
  for (const [file, says] of places) {
    for (const flag of ['--junit', '--summary', '--coverage']) {
      const others = ['--junit', '--summary', '--coverage'].filter((one) => one !== flag)
      const written = others.flatMap((one) => [one, `written${one}`])
      for (const [childs, code] of [
        [3, 3],
        [0, 1],
      ] as const) {
        const label = `${flag} ${file.slice(0, 20)}, and a suite that ends with ${childs}`
        const ended = await exec(t, ['exec', flag, file, ...written, ...node(`process.exit(${childs})`)], { cwd })
        t.match(ended, { code, err: says }, `${label}: the code, and what went wrong`)
        t.notMatch(ended.err, /\n {4}at /, `${label}: no stack`)
        t.match(ended.err, /createSigningLink/, `${label}: the outcomes are printed all the same`)
        for (const one of others) {
          t.ok(existsSync(join(cwd, `written${one}`)), `${label}: ${one} is written all the same`)
          rmSync(join(cwd, `written${one}`), { force: true })
        }
      }
    }
  }
})

t.test('no secret gets into what is printed or written', async (t) => {
  const secret = 'sEcReT+tok/en=='
  const cwd = folder(t)
  const encoded = encodeURIComponent(secret)
  const authorization = `Bearer ${secret}`
  const files = ['--junit', 'j.xml', '--summary', 's.md', '--coverage', 'c.json']
  const words = withClient(
    ['--auth', 'any', ...files, '--fail-on', 'violations,unmatched'],
    [
      { path: HISTORIES, headers: { authorization: secret } },
      { path: HISTORIES, headers: { authorization: `Bearer ${authorization}` } },
      { path: `${HISTORIES}&access_token=${encoded}` },
      { path: `${HISTORIES}&token=${secret}&color=${encoded}`, headers: { authorization } },
      { path: `/nowhere/${encoded}?api_key=${secret}`, headers: { authorization } },
      { path: INVITE, method: 'POST', headers: { authorization }, form: { token: secret, 'data[0][role]': secret } },
      { path: HISTORIES, headers: { 'x-auth-token': secret, cookie: `session=${secret}` } },
    ],
  )
  const { out, err } = await runBinary(t, words, { cwd })
  const written = ['j.xml', 's.md', 'c.json'].map((file) => [file, readFileSync(join(cwd, file), 'utf8')] as const)
  for (const [of, text] of [['stdout', out], ['stderr', err], ...written] as const) {
    t.notOk(text.includes('sEcReT'), `${of}: the secret is not there`)
    t.notOk(text.includes(encoded), `${of}: the secret is not there, encoded`)
  }
  t.match([out, err, ...written].join(), '[redacted]', 'something stands in its place')
})
