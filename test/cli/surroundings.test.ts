import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { CLI, folder, launch, run } from '../binary.js'

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Versions of Node, and whether the program starts on them. */
const versions: Readonly<Record<string, boolean>> = {
  '14.21.3': false,
  '18.20.4': false,
  '20.9.0': false,
  '20.18.3': false,
  '20.19.0': true,
  '22.0.0': true,
}

t.test('an older Node is told which one is needed', async (t) => {
  t.equal(engines.node, '>=20.19')
  for (const [version, starts] of Object.entries(versions)) {
    const cwd = folder(t, {
      'as-if.cjs': `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
    })
    const args = ['--require', './as-if.cjs', CLI, '--version']
    const { code, out, err } = await launch(t, process.execPath, args, { cwd }).ended
    const said = `countersign needs Node 20.19 or newer; this is ${version}.\n`
    if (starts) t.match({ code, out }, { code: 0, out: /^\d+\.\d+\.\d+/ }, `${version}: it starts`)
    else t.same({ code, out, err }, { code: 1, out: '', err: said }, version)
  }
})

t.test('a working directory that is gone is told in one line, where one is needed', async (t) => {
  for (const [args, expected] of [
    ['--version', { code: 0, out: /^\d/ }],
    ['help', { code: 0, out: /Usage/i }],
    ['help start', { code: 0, out: /--port/ }],
    ...['start', 'validate', 'init', 'list', 'seed --out x', 'exec -- true'].map(
      (line) =>
        [
          line,
          { code: 1, err: /^countersign: The working directory no longer exists\. Change to another one\.\n$/ },
        ] as const,
    ),
  ] as const) {
    const gone = `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${CLI}" ${args}`
    const ended = await launch(t, 'sh', ['-c', gone]).ended
    t.match(ended, expected, args)
  }
})

t.test(
  'where no folder can be made, it ends and says so',
  { skip: !existsSync('/proc/self') && 'there is no /proc here' },
  async (t) => {
    for (const args of ['seed --out /proc/x', 'seed --out /proc/x/y/z', 'exec --junit /proc/x/y.xml -- true']) {
      const { code, err } = await run(t, args.split(' '))
      t.match(
        { code, err },
        { code: 1, err: /\/proc\/x\S*: The file cannot be written: no folder can be created/ },
        args,
      )
    }
  },
)

t.test('what cannot be written to its end is removed', async (t) => {
  const limited = (blocks: number, args: string, cwd: string) =>
    launch(t, 'sh', ['-c', `ulimit -f ${blocks} && exec "${process.execPath}" "${CLI}" ${args}`], { cwd }).ended
  const cwd = folder(t, { 'there/.gitkeep': '' })
  for (const blocks of [0, 1]) {
    const { code, err } = await limited(blocks, 'init', cwd)
    t.match({ code, err }, { code: 1, err: /countersign.*: The file cannot be written: / }, `with ${blocks} blocks`)
    t.same(readdirSync(cwd), ['there'], 'it leaves nothing')
  }
  t.match(await run(t, ['init'], { cwd }), { code: 0 }, 'the next one begins anew')
  t.match(await limited(1, 'seed --out a/b --credits 1000', cwd), {
    code: 1,
    err: /a\/b\/.*: The file cannot be written: /,
  })
  t.notOk(existsSync(join(cwd, 'a')), 'seed leaves none of the folders that it made')
  const empty = folder(t)
  t.match(await limited(1, 'seed --out . --credits 1000', empty), { code: 1, err: /cannot be written/ })
  t.same(readdirSync(empty), [], 'an empty folder is empty again')
})

t.test('a file that is no program is told in words', async (t) => {
  const { code, err } = await run(t, ['exec', '--', './data.json'], { cwd: folder(t, { 'data.json': '{}' }) })
  t.match(
    { code, err },
    { code: 126, err: "'./data.json' cannot be run: it is not a program, or you are not permitted" },
  )
})
