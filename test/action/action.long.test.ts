import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { folder, serve } from '../binary.js'
import { HISTORIES } from '../paths.js'
import { action, copyOf, installed, runAction } from './runner.js'

const countersign = installed(t)

const call = (query = '') =>
  `fetch(process.env.COUNTERSIGN_URL + '${HISTORIES}${query}', { headers: { authorization: 'Bearer ' + process.env.COUNTERSIGN_TOKEN } }).then(({ status }) => process.exit(status === 200 ? 0 : 1))`

const project = (t: Test) => copyOf(t, countersign, { 'good.mjs': call(), 'sloppy.mjs': call('&pge=2') })

/** A project whose countersign only records its arguments and environment. */
function recording(t: Test): { path: string; recorded: () => { argv: string[]; env: object } } {
  const script = `#!/usr/bin/env node
const { argv, env } = process
if (argv[2] !== '--version') require('node:fs').writeFileSync('recorded.json', JSON.stringify({ argv: argv.slice(2), env }))`
  const path = folder(t, { 'node_modules/.bin/countersign': script })
  chmodSync(join(path, 'node_modules/.bin/countersign'), 0o755)
  return { path, recorded: () => JSON.parse(readFileSync(join(path, 'recorded.json'), 'utf8')) }
}

t.test('inputs of the action are described, optional, and reach scripts only through the environment', async (t) => {
  for (const [name, input] of Object.entries(action.inputs))
    t.match(input, { description: /\w/, default: String }, `${name} is described and has a default`)
  const used = JSON.stringify(action.runs.steps.map(({ env, 'working-directory': cwd }) => [env, cwd]))
  for (const name of Object.keys(action.inputs)) t.match(used, `\${{ inputs.${name} }}`, `${name} is used`)
  for (const { id, run, shell } of action.runs.steps) {
    t.notMatch(run, '${{', `${id}: no expression in the script`)
    t.equal(shell, 'bash', `${id} runs in bash`)
  }
})

t.test('the step of the action succeeds for a suite that passes in a folder of the workspace', async (t) => {
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
  t.same(job.path, [], 'the PATH of later steps is unchanged')
})

t.test('the step of the action fails if the suite or a gate fails', async (t) => {
  const workspace = project(t)
  const suite = await runAction(t, workspace, { run: 'false\nnode good.mjs' })
  t.match(suite, { outcome: 'failure', outputs: { status: '1' }, log: /0 of \d+ outcomes met/ }, 'the first failure')
  const options = '--fail-on unused --fail-on violations'
  const gate = await runAction(t, workspace, { run: 'node sloppy.mjs', 'fail-on': 'unmatched', options })
  t.match(gate, { outcome: 'failure', outputs: { status: '1' }, summary: /❌ 1 failure/ }, 'a gate fails the step')
  t.match(gate.log, /^::error title=violations%3A listCreditHistories/m, 'the failure is annotated')
  const ungated = await runAction(t, workspace, { run: 'node sloppy.mjs', 'fail-on': '' })
  t.equal(ungated.outcome, 'success', 'without the gate, the step succeeds')
  const unmatched = await runAction(t, workspace, { run: 'curl -s "$COUNTERSIGN_URL/nowhere"' })
  t.match(unmatched, { outcome: 'failure', log: /✗ unmatched {2}GET \/nowhere/ }, 'some gates are set by default')
  t.match(await runAction(t, workspace, { run: 'true' }), { outcome: 'failure', log: /✗ idle/ }, 'no call')
})

t.test('the shards of several jobs add up, with a hoisted countersign', async (t) => {
  const workspace = project(t)
  mkdirSync(join(workspace, 'packages/app'), { recursive: true })
  const inputs = { 'working-directory': 'packages/app' }
  const shard = (name: string) =>
    runAction(t, workspace, { ...inputs, run: 'node ../../good.mjs', options: `--coverage "shards/${name}.json"` })
  const first = await shard('shard 1')
  t.match(first, { outcome: 'success', outputs: { coverage: join(workspace, 'packages/app/shards/shard 1.json') } })
  t.match(first.log, /^countersign \d+\.\d+\.\d+ in .*\/node_modules\/\.bin$/m)
  t.same(first.path, [], 'nothing is installed')
  await shard('2')
  const sum = (shards: string, files = 'shards/*.json') =>
    runAction(t, workspace, { ...inputs, command: 'coverage', files, shards, require: 'listCreditHistories:200' })
  t.match(await sum('2'), { outcome: 'success', summary: /✅/ })
  t.match(await sum('3'), { outcome: 'failure', log: /The files contain 2 runs, but --shards expects 3\./ })
  t.match(await sum('2', 'none/*.json'), { outputs: { status: '2' }, log: /The input 'files' matches no file/ })
})

t.test('with mutate, mutants are tried only if the suite passes', async (t) => {
  const workspace = project(t)
  const withMutate = { mutate: 'true', 'mutate-options': '--count 1 --only listCreditHistories --min-noticed 100' }
  const job = await runAction(t, workspace, { run: 'node good.mjs', ...withMutate })
  t.match(job, { outcome: 'failure', outputs: { status: '1' }, summary: /## countersign mutate/ })
  t.match(job.log, /^::error title=min-noticed/m, 'an unnoticed mutant is annotated')
  const failing = await runAction(t, workspace, { run: 'exit 7', ...withMutate })
  t.match(failing.outputs, { status: '7', coverage: /coverage\.json$/ }, 'a suite that fails is not run with mutants')
  t.notMatch(failing.log, 'mutants')
  const invalid = await runAction(t, workspace, { run: 'node good.mjs', mutate: 'yes' })
  t.match(invalid, { outputs: { status: '2' }, log: "The input 'mutate' must be true or false." })
})

t.test('the action passes its inputs on unchanged, and no shell interprets them', async (t) => {
  const hostile = `a'b"c $(touch x) \`touch x\` ; touch x \\ * $HOME\ntouch x`
  const { path, recorded } = recording(t)
  const gates = { 'fail-on': hostile, require: hostile, 'min-coverage': hostile, target: hostile, junit: hostile }
  const options = `--a "b c" 'd "e' f\\ g $(touch x) \`touch x\` ; * $HOME\n--h=i`
  await runAction(t, path, { ...gates, options, run: `echo '${hostile}'` })
  const [command, coverage, ...rest] = recorded().argv
  t.match([command, coverage], ['exec', /^--coverage=.*\/coverage\.json$/])
  const expected = [
    ...Object.keys(gates).map((name) => `--${name}=${hostile}`),
    ...['--a', 'b c', 'd "e', 'f g', '$(touch', 'x)', '`touch', 'x`', ';', '*', '$HOME', '--h=i'],
    ...['--', 'bash', '-eo', 'pipefail', '-c', `echo '${hostile}'`],
  ]
  t.same(rest, expected, 'each input is one argument')
  for (const [inputs, message] of [
    [{ options: `--a "b`, run: 'true' }, /^::error title=countersign::A quote in the input 'options' is not closed/m],
    [{ run: ' \n' }, /^::error title=countersign::The input 'run' is missing/m],
    [{ command: hostile }, /^::error title=countersign::The input 'command' must be exec, coverage or verify\.$/m],
  ] as const)
    t.match(await runAction(t, path, inputs), { outcome: 'failure', log: message }, `${message}`)
  const unpacked = await runAction(t, folder(t), { package: hostile })
  t.match(unpacked.log, /^::error title=countersign::The input 'package' is not a file/m)
  const touched = readdirSync(path, { recursive: true }).filter((name) => `${name}`.endsWith('x'))
  t.same(touched, [], 'no part of an input is run')
})

t.test('by default, the checkout of the action is packed and installed', async (t) => {
  const identity = { name: 'countersign', version: '9.8.7' }
  const manifest = { ...identity, bin: 'countersign.mjs', scripts: { prepare: 'node build.mjs' } }
  const checkout = folder(t, {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ ...identity, lockfileVersion: 3, packages: {} }),
    'build.mjs': `import { writeFileSync } from 'node:fs'
writeFileSync('countersign.mjs', "#!/usr/bin/env node\\nconsole.log(process.argv[2] === '--version' ? '9.8.7' : 'it runs')\\n")`,
  })
  const job = await runAction(t, folder(t), { run: 'true' }, checkout)
  t.match(job, { outcome: 'success', log: /^countersign 9\.8\.7 in /m }, 'the packed version runs', { log: job.log })
  t.match(job.log, /^it runs$/m)
})

t.test('verify checks a deployment, and no command line contains its token', async (t) => {
  const { url } = await serve(t)
  const workspace = project(t)
  const job = await runAction(t, workspace, { command: 'verify', target: url, token: 'token-admin' })
  t.match(job, { outcome: 'success', outputs: { status: '0', coverage: '' } }, 'no drift', { log: job.log })
  t.match(job.summary, /^\n## countersign verify: `http/, 'the step has a summary')
  const rejected = await runAction(t, workspace, { command: 'verify', target: url, token: 'secret-but-wrong' })
  t.match(rejected, { outcome: 'failure', outputs: { status: '2' } }, 'a wrong token is rejected')
  t.notMatch(rejected.log, 'secret-but-wrong', 'it is not shown')

  const { path, recorded } = recording(t)
  const token = `it's $(secret)`
  await runAction(t, path, { command: 'verify', target: url, token, options: '--only verifyDocument' })
  const { argv, env } = recorded()
  t.same(argv, ['verify', `--target=${url}`, '--only', 'verifyDocument'], 'the token is not an argument')
  t.match(env, { COUNTERSIGN_TOKEN: token }, 'the token is in the environment')
  await runAction(t, path, { run: 'true', token: 'hidden-from-suite' })
  t.notMatch(JSON.stringify(recorded()), 'hidden-from-suite', 'a suite does not get the token')
})
