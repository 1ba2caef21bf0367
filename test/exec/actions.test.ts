import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { HISTORIES, MEMBER } from '../paths.js'
import { runExec } from './client.js'

const MISNAMED = { path: MEMBER, method: 'PUT', form: { rolle: 'Admin' } }

function githubStep(t: Parameters<typeof folder>[0], files: Readonly<Record<string, string>> = {}) {
  const cwd = folder(t, { 'step.md': 'Earlier.\n', ...files })
  const file = join(cwd, 'step.md')
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file }
  return { cwd, env, file, summary: () => readFileSync(file, 'utf8') }
}

const commandsIn = (text: string) => text.split('\n').filter((line) => line.trimStart().startsWith('::'))

t.test('gate failures are annotated after the report, unused rules with file and line', async (t) => {
  const { cwd, env } = githubStep(t, {
    'scenarios/mine.yaml': 'extends: [theirs]\nrules:\n  - on: verifyDocument\n    answer: { status: 404 }\n',
    'scenarios/theirs.yaml': '# A comment.\nrules: [{ on: uploadSignature, answer: { status: 401 } }]\n',
  })
  const gates = '--junit j.xml --fail-on violations,unused --require verifyDocument:404 --min-coverage 50'.split(' ')
  const on = ['--scenario', 'mine', '--scenario', 'invitation-conflicts', '--scenario', 'listCreditHistories:401']
  const { code, out, err } = await runExec(t, ['--scenarios', 'scenarios', ...on, ...gates], [MISNAMED], { cwd, env })
  t.same([code, out], [1, ''], 'the run fails, and standard output is the child’s')
  const [report = '', rest] = err.split('failures.\n')
  t.same(commandsIn(report), [], 'the report has no annotations')
  t.equal(rest, `${commandsIn(err).join('\n')}\n`, 'the annotations follow the report')
  for (const line of [
    /^::error title=violations%3A updateSubOrganizationMember%3A misnamed-field at form\.rolle::The form field 'rolle' .*%0AFix: Rename 'rolle' to 'role'\.$/m,
    /^::error file=scenarios\/theirs\.yaml,line=2,col=9,title=unused%3A mine#1::The rule mine#1 was on/m,
    /^::error file=scenarios\/mine\.yaml,line=3,col=5,title=unused%3A mine#2::/m,
    /^::error title=unused%3A invitation-conflicts::/m,
    /^::error title=unused%3A listCreditHistories%3A401::/m,
    /^::error title=require%3A verifyDocument%3A404::The outcome verifyDocument:404 was never met/m,
    /^::error title=min-coverage%3A 50 %25::\d+\.\d %25 of the outcomes were met; 50 %25 are required/m,
  ])
    t.match(rest, line)
  t.match(readFileSync(join(cwd, 'j.xml'), 'utf8'), 'name="mine#1" file="scenarios/theirs.yaml"', 'JUnit has the file')
})

t.test('without a failed gate, or without GitHub Actions, there are no annotations', async (t) => {
  const { cwd, env } = githubStep(t)
  t.same(commandsIn((await runExec(t, [], [MISNAMED], { cwd, env })).err), [], 'without a gate')
  const { code, err } = await runExec(t, ['--fail-on', 'violations'], [MISNAMED], { cwd })
  t.same([code, commandsIn(err)], [1, []], 'without GitHub Actions')
})

t.test('reports are appended to the step summary, below the text of other programs', async (t) => {
  const { cwd, env, summary } = githubStep(t)
  await runExec(t, ['--coverage', 'it.json'], [{ path: HISTORIES }], { cwd, env })
  await run(t, ['coverage', 'it.json', '--require', 'listCreditHistories:401'], { cwd, env })
  t.match(
    summary(),
    /^Earlier\.\n\n## countersign\n\n\| operation[\s\S]*\n\n## countersign\n\n❌ 1 failure\n/,
    'exec and coverage append',
  )
  const before = summary()
  await runExec(t, ['--summary', 'own.md'], [], { cwd, env })
  t.equal(summary(), `${before}\n${readFileSync(join(cwd, 'own.md'), 'utf8')}`, '--summary also writes a file')
  await runExec(t, ['--summary', 'own.md'], [], { cwd, env: { ...env, GITHUB_ACTIONS: 'false' } })
  t.equal(summary().match(/## countersign/g)?.length, 3, 'nothing is appended without GitHub Actions')
  await runExec(t, ['--summary', 'step.md'], [], { cwd, env: { ...env, GITHUB_ACTIONS: 'false' } })
  t.match(summary(), /^Earlier\./, '--summary does not overwrite the step summary')
  t.equal(readFileSync(join(cwd, 'own.md'), 'utf8').match(/## countersign/g)?.length, 1, '--summary replaces its file')
})
