import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

const CONFIG = 'countersign.config.yaml'

/** Files that cannot be used, alone or with these flags, and what is said of them. */
const broken: readonly (readonly [files: Record<string, string>, args: string, ...says: string[]])[] = [
  [
    { [CONFIG]: 'port: zero\n' },
    '',
    "config.yaml:1:7: 'port' must be .*, not 'zero'\\.\n> 1 \\| port: zero\n {4}\\| {7}\\^",
  ],
  [{ [CONFIG]: 'clock: 2026' }, '', "config.yaml:1:8: 'clock' must be 'real', or an ISO 8601 time .*, not 2026\\.$"],
  [
    { [CONFIG]: 'clock: tomorrow\nprot: 1\nactive: [nope]\n' },
    '',
    "config.yaml:1:8: 'clock' must be 'real', or an ISO 8601 time .*, not 'tomorrow'\\.$",
    "config.yaml:2:1: The key 'prot' is unknown\\.",
    "config.yaml:3:10: There is no scenario 'nope'\\.",
  ],
  [
    { [CONFIG]: 'version: 1\n\nbody-limit: -1\nauth: loud\nbdy-limit: 1\n' },
    '',
    "config.yaml:3:13: 'body-limit' must be .*, not -1\\.$",
    "config.yaml:4:7: 'auth' must be .*, not 'loud'\\.$",
    "config.yaml:5:1: The key 'bdy-limit' is unknown\\. Did you mean 'bodyLimit'\\?",
  ],
  [
    { [CONFIG]: 'bodyLimit: 1\nbody-limit: 2\n' },
    '',
    "config.yaml:2:1: 'body-limit' and 'bodyLimit' are two spellings of the same option\\. Remove one of them\\.$",
  ],
  [
    { [CONFIG]: 'body-limit: 1\nbodyLimit: x\n' },
    '',
    "config.yaml:2:12: 'bodyLimit' must be",
    "config.yaml:2:1: 'bodyLimit' and 'body-limit' are",
  ],
  [
    { [CONFIG]: 'active: [itt]\n', 'scenarios/it.yaml': 'rules: []' },
    '',
    "config.yaml:1:10: There is no scenario 'itt'\\. Did you mean 'it'\\?",
  ],
  [{ 'countersign.config.json': '{\n  "port": 0\n  "host": 1 }' }, '', 'config.json:3:3: '],
  [
    { 'fx.json': '{ "organizations": [{ "id": 7, "uuid": "00000000-0000-4000-8000-000000000007", "name": 1 }] }' },
    '--fixtures fx.json',
    "fx.json:1:88: 'organizations\\.0\\.name' must be text",
  ],
  [
    { 'organisations.json': '[]' },
    '--fixtures organisations.json',
    "organisations.json:1:1: .* Did you mean 'organizations'",
  ],
  [
    {
      'fx.json': '{ "organizations": [{ "id": 1e400, "uuid": "00000000-0000-4000-8000-000000000007", "name": "N" }] }',
    },
    '--fixtures fx.json',
    "fx.json:1:29: 'organizations\\.0\\.id' must be a whole number, not Infinity\\.$",
  ],
  [{ 'fx.yaml': '- a' }, '--fixtures fx.yaml', "fx.yaml:1:1: The content is a list, and the file's name 'fx' does not"],
  [{ [CONFIG]: '- strict' }, '', 'config.yaml:1:1: The content must be an object .*, not \\["strict"\\]\\.$'],
  [{ [CONFIG]: 'seed: [1]' }, '', "config.yaml:1:7: 'seed' must be text or a whole number, not \\[1\\]\\.$"],
  [
    { [CONFIG]: 'clock: 2026-02-30' },
    '',
    "config.yaml:1:8: 'clock' must be 'real', or an ISO .*, not '2026-02-30'\\.$",
  ],
  [{ [CONFIG]: 'tlsCert: x' }, '', '(config.yaml: )?--tls-cert needs --tls-key\\.'],
  [{ [CONFIG]: 'fallback: true' }, '', '(config.yaml: )?--fallback needs --provider\\.'],
  [{ 'fx/notes.txt': '' }, '--fixtures fx', 'fx: .*The folder contains no fixtures: add files such as users\\.json'],
]

t.test('each complaint about a file stands where what is wrong does', async (t) => {
  for (const [files, args, ...says] of broken) {
    const cwd = folder(t, files)
    for (const command of ['validate', 'start']) {
      const { code, err } = await run(t, [command, ...args.split(' ').filter(Boolean)], { cwd })
      t.equal(code, 1, `${command}: ${JSON.stringify(files)}`)
      for (const one of says) t.match(err, new RegExp(`^(countersign: )?(countersign\\.)?${one}`, 'm'), command)
      t.notMatch(err, /\bat .*:\d+:\d+\)?$/m, `${command}: no stack`)
      if (command === 'validate') t.match(err, new RegExp(`^${says.length} complaints?\\.$`, 'm'), 'no other complaint')
    }
  }
})

t.test('each path that cannot be read is told with what named it, though two are the same', async (t) => {
  const named = await run(t, ['--fixtures', 'none', '--scenarios', 'none'])
  t.match(named.err, /none: The fixtures cannot be read: it does not exist\. Check --fixtures\.$/m)
  t.match(named.err, /none: The scenarios cannot be read: it does not exist\. Check --scenarios\.$/m)
  const [config, text] = ['conf/c.yaml', 'scenarios: ./none\nfixtures: ../nix.json\n']
  const inFile = await run(t, ['--config', config], { cwd: folder(t, { [config]: text }) })
  t.match(inFile.err, /conf\/c\.yaml:1:12: conf\/none: The scenarios cannot be read: it does not exist\.$/m)
  t.match(inFile.err, /conf\/c\.yaml:2:11: nix\.json: The fixtures cannot be read: it does not exist\.$/m)
})
