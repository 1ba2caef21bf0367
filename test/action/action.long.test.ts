import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { folder, launch, serve } from '../binary.js'
import { HISTORIES } from '../helper.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Words = Readonly<Record<string, string>>

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: {
    readonly steps: readonly (Record<'id' | 'shell' | 'run' | 'working-directory', string> & { env: Words })[]
  }
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action

const tarball = pack(t)
/** A project that has countersign installed, to be copied. */
const installed = folder(t, { 'package.json': '{}' })
install(installed, tarball)

const call = (query = '') =>
  `fetch(process.env.COUNTERSIGN_URL + '${HISTORIES}${query}', { headers: { authorization: 'Bearer ' + process.env.COUNTERSIGN_TOKEN } }).then(({ status }) => process.exit(status === 200 ? 0 : 1))`

function project(t: Test): string {
  const path = folder(t, { 'good.mjs': call(), 'sloppy.mjs': call('&pge=2') })
  cpSync(join(installed, 'node_modules'), join(path, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  return path
}

/** A project whose countersign only notes its arguments, one on a line of its own, and its token. */
function noting(t: Test): { path: string; noted: () => { argv: string[]; env: object } } {
  const script = `#!/usr/bin/env node
const { argv, env } = process
if (argv[2] !== '--version') require('node:fs').writeFileSync('noted.json', JSON.stringify({ argv: argv.slice(2), env }))`
  const path = folder(t, { 'node_modules/.bin/countersign': script })
  chmodSync(join(path, 'node_modules/.bin/countersign'), 0o755)
  return { path, noted: () => JSON.parse(readFileSync(join(path, 'noted.json'), 'utf8')) }
}

t.test('inputs are described, optional, and reach scripts through the environment alone', async (t) => {
  for (const [name, input] of Object.entries(action.inputs))
    t.match(input, { description: /\w/, default: String }, `${name} is described and has a default`)
  const used = JSON.stringify(action.runs.steps.map(({ env, 'working-directory': where }) => [env, where]))
  for (const name of Object.keys(action.inputs)) t.match(used, `\${{ inputs.${name} }}`, `${name} is used`)
  for (const { id, run, shell } of action.runs.steps) {
    t.notMatch(run, '${{', `${id}: nothing is put into the script`)
    t.equal(shell, 'bash', `${id} is for bash`)
  }
})

t.test('a suite that passes, in a folder of the workspace', async (t) => {
  const workspace = folder(t)
  cpSync(project(t), join(workspace, 'app'), { recursive: true, verbatimSymlinks: true })
  const job = await runAction(t, workspace, {
    'working-directory': 'app',
    run: 'echo "in $PWD"\nnode good.mjs',
    'fail-on': 'violations,unmatched',
    require: 'listCreditHistories:200',
    'min-coverage': '3',
    junit: 'reports/junit.xml',
    options: '--scenario  "slow-everything"\n--no-strict',
  })
  t.match(job, { outcome: 'success', outputs: { status: '0' }, summary: /^\n## countersign\n\n✅/ }, job.log)
  t.match(job.log, /^countersign \d+\.\d+\.\d+ in .*\/app\/node_modules\/\.bin$/m, 'the project’s countersign runs')
  t.match(job.log, /^in .*\/app$/m, 'the commands run in the folder')
  t.match(readFileSync(join(workspace, 'app/reports/junit.xml'), 'utf8'), 'failures="0"', 'JUnit is written')
  t.match(
    readFileSync(job.outputs.coverage ?? '', 'utf8'),
    '"listCreditHistories:200"',
    'the coverage file is an output',
  )
  t.same(job.path, [], 'the PATH of later steps is as it was')
})

t.test('a suite or a gate that fails fails the step', async (t) => {
  const workspace = project(t)
  const suite = await runAction(t, workspace, { run: 'false\nnode good.mjs' })
  t.match(suite, { outcome: 'failure', outputs: { status: '1' }, log: /0 of \d+ outcomes met/ }, 'the first ends it')
  const gate = await runAction(t, workspace, { run: 'node sloppy.mjs', 'fail-on': 'violations:all' })
  t.match(gate, { outcome: 'failure', outputs: { status: '1' }, summary: /❌ 1 failure/ }, 'a gate fails the step')
  t.match(gate.log, /^::error title=violations%3Aall%3A listCreditHistories/m, 'and is annotated')
  t.equal((await runAction(t, workspace, { run: 'node sloppy.mjs' })).outcome, 'success', 'without the gate it passes')
})

t.test('a suite that passes is measured, too', async (t) => {
  const workspace = project(t)
  const measured = { mutate: 'true', 'mutate-options': '--count 1 --only listCreditHistories --min-noticed 100' }
  const job = await runAction(t, workspace, { run: 'node good.mjs', ...measured })
  t.match(job, { outcome: 'failure', outputs: { status: '1' }, summary: /## countersign mutate/ })
  t.match(job.log, /^::error title=min-noticed/m, 'what it does not notice is annotated')
  const failing = await runAction(t, workspace, { run: 'exit 7', ...measured })
  t.match(failing.outputs, { status: '7', coverage: /coverage\.json$/ }, 'a suite that fails is not measured')
  t.notMatch(failing.log, 'mutants')
  const wrong = await runAction(t, workspace, { run: 'node good.mjs', mutate: 'yes' })
  t.match(wrong, { outputs: { status: '2' }, log: "The input 'mutate' must be true or false." })
})

t.test('inputs are taken literally', async (t) => {
  const hostile = `a'b"c $(touch x) \`touch x\` ; touch x \\ * $HOME\ntouch x`
  const { path, noted } = noting(t)
  const gates = { 'fail-on': hostile, require: hostile, 'min-coverage': hostile, target: hostile, junit: hostile }
  const options = `--a "b c" 'd "e' f\\ g $(touch x) \`touch x\` ; * $HOME\n--h=i`
  await runAction(t, path, { ...gates, options, run: `echo '${hostile}'` })
  const [command, coverage, ...rest] = noted().argv
  t.match([command, coverage], ['exec', /^--coverage=.*\/coverage\.json$/])
  const wanted = [
    ...Object.keys(gates).map((name) => `--${name}=${hostile}`),
    ...['--a', 'b c', 'd "e', 'f g', '$(touch', 'x)', '`touch', 'x`', ';', '*', '$HOME', '--h=i'],
    ...['--', 'bash', '-eo', 'pipefail', '-c', `echo '${hostile}'`],
  ]
  t.same(rest, wanted, 'each input is one argument')
  for (const [inputs, says] of [
    [{ options: `--a "b`, run: 'true' }, /^::error title=countersign::A quote in the input 'options' is not closed/m],
    [{ run: ' \n' }, /^::error title=countersign::The input 'run' is missing/m],
    [{ command: hostile }, /^::error title=countersign::The input 'command' must be exec or verify\.$/m],
    [{ package: hostile, 'working-directory': 'empty' }, /^::error title=countersign::The input 'package' names no/m],
  ] as const) {
    mkdirSync(join(path, 'empty'), { recursive: true })
    t.match(await runAction(t, path, inputs), { outcome: 'failure', log: says }, `${says}`)
  }
  const run = readdirSync(path, { recursive: true }).filter((name) => `${name}`.endsWith('x'))
  t.same(run, [], 'nothing was run')
})

t.test('by default, the checkout of the action is packed and installed', async (t) => {
  const named = { name: 'countersign', version: '9.8.7' }
  const manifest = { ...named, bin: 'countersign.mjs', scripts: { prepare: 'node build.mjs' } }
  const checkout = folder(t, {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ ...named, lockfileVersion: 3, packages: {} }),
    'build.mjs': `import { writeFileSync } from 'node:fs'
writeFileSync('countersign.mjs', "#!/usr/bin/env node\\nconsole.log(process.argv[2] === '--version' ? '9.8.7' : 'it runs')\\n")`,
  })
  const job = await runAction(t, folder(t), { run: 'true' }, checkout)
  t.match(job, { outcome: 'success', log: /^countersign 9\.8\.7 in /m }, 'it is that one', { log: job.log })
  t.match(job.log, /^it runs$/m)
})

t.test('verify looks at a deployment, and its token is in no command line', async (t) => {
  const { url } = await serve(t)
  const workspace = project(t)
  const job = await runAction(t, workspace, { command: 'verify', target: url, token: 'token-admin' })
  t.match(job, { outcome: 'success', outputs: { status: '0', coverage: '' } }, 'it is as documented', { log: job.log })
  t.match(job.summary, /^\n## countersign verify: `http/, 'the step has a summary')
  const refused = await runAction(t, workspace, { command: 'verify', target: url, token: 'secret-but-wrong' })
  t.match(refused, { outcome: 'failure', outputs: { status: '2' } }, 'a wrong token is refused')
  t.notMatch(refused.log, 'secret-but-wrong', 'and not shown')

  const { path, noted } = noting(t)
  const token = `it's $(secret)`
  await runAction(t, path, { command: 'verify', target: url, token, options: '--only verifyDocument' })
  const { argv, env } = noted()
  t.same(argv, ['verify', `--target=${url}`, '--only', 'verifyDocument'], 'the token is no argument')
  t.match(env, { COUNTERSIGN_TOKEN: token }, 'but in the environment')
  await runAction(t, path, { run: 'true', token: 'hidden-from-it' })
  t.notMatch(JSON.stringify(noted()), 'hidden-from-it', 'a suite does not see it')
})

function pack(t: Test): string {
  const to = folder(t)
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to]
  return join(to, execFileSync('npm', args, { cwd: root, encoding: 'utf8', env: offline(to) }).trim())
}

function install(project: string, tarball: string): void {
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--silent', tarball]
  execFileSync('npm', args, { cwd: project, env: offline(project) })
}

/** The environment of a machine without network on which nothing is set up. */
function offline(home: string): NodeJS.ProcessEnv {
  const { PATH } = process.env
  return { PATH, HOME: home, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
}

interface Job {
  readonly outcome: 'success' | 'failure'
  readonly outputs: Words
  readonly log: string
  readonly summary: string
  /** What later steps have on their PATH. */
  readonly path: readonly string[]
}

/** Runs the action's steps one after another, as GitHub's runner does, in a workspace. */
async function runAction(t: Test, workspace: string, inputs: Words, checkout = root): Promise<Job> {
  const temp = folder(t)
  const given = Object.entries(action.inputs).map(([name, one]) => [name, inputs[name] ?? one.default] as const)
  const values = new Map(given.map(([name, value]) => [`inputs.${name}`, value]))
  const evaluated = (text: string) => text.replace(/\$\{\{ (\S+) \}\}/g, (_, name) => values.get(name) ?? '')
  const path: string[] = []
  let [log, summary, outcome]: [string, string, Job['outcome']] = ['', '', 'success']
  for (const step of action.runs.steps) {
    const at = (name: string) => join(temp, `${step.id}-${name}`)
    const files = { GITHUB_OUTPUT: at('output'), GITHUB_PATH: at('path'), GITHUB_STEP_SUMMARY: at('summary') }
    for (const file of Object.values(files)) writeFileSync(file, '')
    mkdirSync(at('temp'))
    writeFileSync(at('script.sh'), step.run)
    const { env: own, 'working-directory': where } = step
    const env = {
      ...offline(temp),
      PATH: [...path, process.env.PATH].join(delimiter),
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: checkout,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: at('temp'),
      ...files,
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, evaluated(value)])),
    }
    // What `shell: bash` means.
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', at('script.sh')]
    const cwd = join(workspace, evaluated(where))
    const ended = await launch(t, 'bash', words, { cwd, env: env as Record<string, string> }).ended
    log += ended.out + ended.err
    summary += readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')
    path.unshift(...lines(files.GITHUB_PATH))
    for (const line of lines(files.GITHUB_OUTPUT)) {
      const [, name, value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? []
      values.set(`steps.${step.id}.outputs.${name}`, value)
    }
    if (ended.code !== 0) {
      outcome = 'failure'
      break
    }
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluated(value)])
  return { outcome, outputs: Object.fromEntries(outputs), log, summary, path }
}

function lines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}
