import { readdirSync } from 'node:fs'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

const CONFIG = 'countersign.config.yaml'
/** How many scenarios the package has. */
const shipped = readdirSync(new URL('../../fixtures/scenarios/', import.meta.url)).length

t.test('validate tells all that is wrong at once', async (t) => {
  const files = {
    [CONFIG]: 'fixtures: fx.json\nactive: [it, gone]\n',
    'fx.json': '{ "projects": [{ "uuid": "a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11", "user_uuid": "u", "name": "x" }] }',
    'scenarios/it.yaml': 'rules: [{ on: verifyDocument, answer: { status: 409 } }]',
    'scenarios/that.yaml': 'extends: [them]',
  }
  const { code, out, err } = await run(t, ['validate', '--scenario', 'nope'], { cwd: folder(t, files) })
  t.match({ code, out }, { code: 1, out: '' }, 'it fails, and prints nothing else')
  for (const [what, says] of [
    [
      'a reference',
      /^fx\.json:1:\d+: 'user_uuid' refers to a record that does not exist|^fx\.json:1:\d+: 'projects\.0\.user_uuid' must be/m,
    ],
    ['a status', /^scenarios\/it\.yaml:1:\d+: verifyDocument does not declare 409/m],
    ['a scenario that is extended', /^scenarios\/that\.yaml:1:11: There is no scenario 'them'/m],
    ['a scenario of the config file', /^countersign\.config\.yaml:2:14: There is no scenario 'gone'\./m],
    ['a scenario of a flag', /^--scenario: There is no scenario 'nope'\./m],
    ['the count', /^5 complaints\.$/m],
  ] as const)
    t.match(err, says, `${what} is reported`)
  const well = await run(t, ['validate'])
  t.match(
    well,
    {
      code: 0,
      out: new RegExp(`^No problems found: no config file, \\d+ fixtures, ${shipped} scenarios\\.$`, 'm'),
      err: '',
    },
    'what is shipped is valid',
  )
})

t.test('two config files are told apart, and init makes no second one', async (t) => {
  const cwd = folder(t, { 'countersign.config.json': '{ "active": ["service-down"] }' })
  t.match(await run(t, ['init'], { cwd }), {
    code: 1,
    err: /Already exists: countersign\.config\.json\. Move it away first\./,
  })
  t.same(readdirSync(cwd), ['countersign.config.json'], 'nothing is written')
  const two = folder(t, { [CONFIG]: '', 'countersign.config.json': '{}' })
  for (const command of ['start', 'validate'])
    t.match(await run(t, [command], { cwd: two }), {
      code: 1,
      err: /config\.json: There is another config file beside it, countersign\.config\.yaml, .*Remove one of them/,
    })
  const blocked = folder(t, { scenarios: 'a file' })
  t.match(await run(t, ['init'], { cwd: blocked }), { code: 1, err: /scenarios/ })
  t.same(readdirSync(blocked), ['scenarios'], 'where it cannot write all, it writes nothing')
})

t.test('a mistake in the config hides no other', async (t) => {
  const cwd = folder(t, { [CONFIG]: 'fixtures: f.json\nactive: [gone]\nbad: 1\nport: x\n', 'f.json': '{ "users": 1 }' })
  const { err } = await run(t, ['validate'], { cwd })
  for (const one of [
    /'bad' is unknown/,
    /'port' must be/,
    /f\.json:1:\d+: 'users' must be a list/,
    /2:10: There is no scenario 'gone'/,
  ])
    t.match(err, one)
})

/** Config files that are wrong, and the places and words of their complaints. */
const wrong: Readonly<Record<string, readonly [text: string, ...says: RegExp[]]>> = {
  'a clock beside others': [
    'clock: tomorrow\nprot: 1\nactive: [nope]\n',
    /^(countersign: )?countersign\.config\.yaml:1:8: 'clock' must be 'real', or an ISO 8601 time .*, not 'tomorrow'\.$/m,
    /^(countersign: )?countersign\.config\.yaml:2:1: The key 'prot' is unknown\./m,
    /^(countersign: )?countersign\.config\.yaml:3:10: There is no scenario 'nope'\./m,
  ],
  'a clock that is a year': ['clock: 2026', /:1:8: 'clock' must be 'real', or an ISO 8601 time .*, not 2026\.$/m],
  'keys as the flags are written': [
    'version: 1\n\nbody-limit: -1\nlog_level: loud\nbdy-limit: 1\n',
    /:3:13: 'body-limit' must be .*, not -1\.$/m,
    /:4:12: 'log_level' must be .*, not 'loud'\.$/m,
    /:5:1: The key 'bdy-limit' is unknown\. Did you mean 'bodyLimit'\?/m,
  ],
  'a key in two spellings': [
    'bodyLimit: 1\nbody-limit: 2\n',
    /^(countersign: )?countersign\.config\.yaml:2:1: 'body-limit' and 'bodyLimit' are two spellings of the same option\. Remove one of them\.$/m,
  ],
  'two wrong spellings': [
    'body-limit: 1\nbodyLimit: x\n',
    /:2:12: 'bodyLimit' must be/m,
    /:2:1: 'bodyLimit' and 'body-/,
  ],
}

t.test('each complaint about the config stands where its key or value does', async (t) => {
  for (const [what, [text, ...says]] of Object.entries(wrong)) {
    const cwd = folder(t, { [CONFIG]: text })
    for (const command of ['validate', 'start']) {
      const { code, err } = await run(t, [command], { cwd })
      t.equal(code, 1, `${what}: ${command} fails`)
      for (const one of says) t.match(err, one, `${what}: ${command} says it`)
    }
    const { err } = await run(t, ['validate'], { cwd })
    t.match(err, new RegExp(`^${says.length} complaints?\\.$`, 'm'), `${what}: no other complaint`)
  }
})

/** What names something that does not exist, and what is said of it. */
const missing: readonly (readonly [
  what: { args?: string; env?: Record<string, string>; config?: string },
  says: RegExp,
])[] = [
  [{ args: '--scenario nope' }, /^--scenario: There is no scenario 'nope'\./m],
  [{ env: { COUNTERSIGN_SCENARIO: 'foo' } }, /^COUNTERSIGN_SCENARIO: There is no scenario 'foo'\./m],
  ...(['scenarios', 'fixtures', 'interpretations'] as const).flatMap((name) => {
    const variable = `COUNTERSIGN_${name.toUpperCase()}`
    return [
      [{ args: `--${name} ./nope` }, new RegExp(`^\\./nope: .*it does not exist\\. Check --${name}\\.$`, 'm')],
      [{ env: { [variable]: 'nope' } }, new RegExp(`^nope: .*it does not exist\\. Check ${variable}\\.$`, 'm')],
      [
        { config: `version: 1\n${name}: ./nope\n` },
        new RegExp(`^countersign\\.config\\.yaml:2:${name.length + 3}: \\./nope: .*it does not exist\\.$`, 'm'),
      ],
    ] as const
  }),
]

t.test('a complaint names what set a name or a path', async (t) => {
  for (const [{ args = '', env = {}, config }, says] of missing) {
    const cwd = folder(t, config === undefined ? {} : { [CONFIG]: config })
    const { code, err } = await run(t, ['validate', ...args.split(' ').filter(Boolean)], { cwd, env })
    t.match({ code, err }, { code: 1, err: says }, `${args}${JSON.stringify(env)}${config ?? ''}`)
  }
})

t.test('list prints what it can, and fails where scenario files are broken', async (t) => {
  const cwd = folder(t, { 'scenarios/bad.yaml': 'rules: [{ on: nope }]', 'scenarios/good.yaml': 'rules: []' })
  t.match(await run(t, ['list'], { cwd }), { code: 1, out: /^ {2}good /m, err: /^scenarios\/bad\.yaml:1:15: / })
  t.match(await run(t, ['list', 'tokens'], { cwd }), { code: 0, err: '' }, 'no other list needs them')
})

t.test('what is only still accepted is not advertised', async (t) => {
  const files = (answer: string) => ({ 'scenarios/it.yaml': `rules: [{ on: verifyDocument, answer: { ${answer} } }]` })
  const { err } = await run(t, ['validate'], { cwd: folder(t, files('sttus: 200')) })
  t.match(
    err,
    /The key 'sttus' is unknown\. Did you mean 'status'\? Allowed: status, body, headers, delay, fault, effect/,
  )
  t.match(await run(t, ['validate'], { cwd: folder(t, files('status: 299, offContract: true')) }), { code: 0 })
})
