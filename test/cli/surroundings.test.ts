import { readFileSync } from 'node:fs'
import t from 'tap'
import { CLI, folder, launch, run } from '../binary.js'

t.test('an older Node is told which one is needed', async (t) => {
  t.equal(JSON.parse(readFileSync('package.json', 'utf8')).engines.node, '>=20.19')
  for (const [version, starts] of [
    ['14.21.3', false],
    ['18.20.4', false],
    ['20.9.0', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['22.0.0', true],
  ] as const) {
    const asIf = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    const args = ['--require', './as-if.cjs', CLI, '--version']
    const ended = await launch(t, process.execPath, args, { cwd: folder(t, { 'as-if.cjs': asIf }) }).ended
    const needed = `countersign needs Node 20.19 or newer; this is ${version}.\n`
    if (starts) t.match(ended, { code: 0, out: /^\d+\.\d+\.\d+/ }, version)
    else t.same(ended, { code: 1, signal: null, out: '', err: needed }, version)
  }
})

t.test('a working directory that is gone is told in one line, where one is needed', async (t) => {
  const gone = { code: 1, err: /^countersign: The working directory no longer exists\. Change to another one\.\n$/ }
  for (const [args, expected] of Object.entries({
    '--version': { code: 0, out: /^\d/ },
    help: { code: 0, out: /Usage/i },
    'help start': { code: 0, out: /--port/ },
    start: gone,
    validate: gone,
    init: gone,
    list: gone,
    'seed --out x': gone,
    'exec -- true': gone,
  })) {
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${CLI}" ${args}`
    t.match(await launch(t, 'sh', ['-c', script]).ended, expected, args)
  }
})

t.test('a file that is no program is told in words', async (t) => {
  const err = "'./data.json' cannot be run: it is not a program, or you are not permitted to run it."
  const cwd = folder(t, { 'data.json': '{}' })
  t.match(await run(t, ['exec', '--', './data.json'], { cwd }), { code: 126, err })
})
