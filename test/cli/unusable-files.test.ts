import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

const CONFIG = 'countersign.config.yaml'

/** Files that cannot be used, and what is said of them. */
const broken: readonly (readonly [what: string, files: Record<string, string>, args: string[], says: RegExp])[] = [
  [
    'an unknown key',
    { [CONFIG]: 'port: 0\nstrikt: true\n' },
    [],
    /countersign\.config\.yaml:2:1: The key 'strikt' is unknown\. Did you mean 'strict'\?/,
  ],
  [
    'a wrong value',
    { [CONFIG]: 'port: zero\n' },
    [],
    /countersign\.config\.yaml:1:7: 'port' must be .*, not 'zero'\.\n> 1 \| port: zero\n {4}\| {7}\^/,
  ],
  ['an unknown scenario', { [CONFIG]: 'active: [itt]\n', 'scenarios/it.yaml': '' }, [], /'itt'\. Did you mean 'it'\?/],
  ['broken JSON', { 'countersign.config.json': '{\n  "port": 0\n  "host": 1 }' }, [], /countersign\.config\.json:3:3/],
  [
    'a wrong fixture',
    { 'fx.json': '{ "users": [{ "token": 1 }] }' },
    ['--fixtures', 'fx.json'],
    /fx\.json:1:24: 'users\.0\.token' must be text/,
  ],
  ['a broken fixture', { 'fx/users.json': '[' }, ['--fixtures', 'fx'], /fx\/users\.json:\d+:\d+: /],
  ['no fixtures', { 'fx/notes.txt': '' }, ['--fixtures', 'fx'], /The folder contains no fixtures: add files such as/],
  [
    'a wrong scenario',
    { 'scenarios/it.yaml': 'rules: [{ on: x }]' },
    ['--scenario', 'it'],
    /scenarios\/it\.yaml:1:15: 'rules\.0\.on' must be one of/,
  ],
]

t.test('each path that cannot be read is told with what named it, though two are the same', async (t) => {
  const named = await run(t, ['--fixtures', 'none', '--scenarios', 'none', '--interpretations', 'none'])
  t.match(named.err, /none: The fixtures cannot be read: it does not exist\. Check --fixtures\.$/m)
  t.match(named.err, /none: The scenarios cannot be read: it does not exist\. Check --scenarios\.$/m)
  t.match(named.err, /none: The file cannot be read: it does not exist\. Check --interpretations\.$/m)
  const [config, text] = ['conf/c.yaml', 'scenarios: ./none\nfixtures: ../nix.json\n']
  const inFile = await run(t, ['--config', config], { cwd: folder(t, { [config]: text }) })
  t.match(inFile.err, /conf\/c\.yaml:1:12: conf\/none: The scenarios cannot be read: it does not exist\.$/m)
  t.match(inFile.err, /conf\/c\.yaml:2:11: nix\.json: The fixtures cannot be read: it does not exist\.$/m)
})

t.test('files that cannot be used stop the start, in clear words', async (t) => {
  for (const [what, files, args, says] of broken) {
    const { code, err } = await run(t, [...args, '--port', '0'], { cwd: folder(t, files) })
    t.equal(code, 1, `${what}: the start fails`)
    t.match(err, says, `${what}: it is said what is wrong and where`)
    t.notMatch(err, /\bat .*:\d+:\d+\)?$/m, `${what}: no stack is printed`)
  }
})
