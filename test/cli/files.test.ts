import { readdirSync } from 'node:fs'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

const CONFIG = 'countersign.config.yaml'
const shipped = readdirSync(new URL('../../fixtures/scenarios/', import.meta.url)).length

t.test('validate tells all that is wrong at once', async (t) => {
  const files = {
    [CONFIG]: 'fixtures: fx.json\nactive: [it, gone]\n',
    'fx.json': '{ "projects": [{ "uuid": "a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11", "user_uuid": "u", "name": "x" }] }',
    'scenarios/it.yaml': 'rules: [{ on: verifyDocument, answer: { status: 409 } }]',
    'scenarios/key.yaml': 'rules: [{ on: listCreditHistories, ansver: {}, answer: { status: 409 } }]',
    'scenarios/that.yaml': 'extends: [them]',
  }
  const { code, out, err } = await run(t, ['validate', '--scenario', 'nope'], { cwd: folder(t, files) })
  t.match({ code, out }, { code: 1, out: '' }, 'it fails, and prints nothing else')
  for (const says of [
    /^fx\.json:1:\d+: 'user_uuid' refers to a record that does not exist|^fx\.json:1:\d+: 'projects\.0\.user_uuid' must be/m,
    /^scenarios\/it\.yaml:1:\d+: verifyDocument does not declare 409/m,
    /^scenarios\/key\.yaml:1:\d+: The key 'ansver' is unknown/m,
    /^scenarios\/key\.yaml:1:\d+: listCreditHistories does not declare 409/m,
    /^scenarios\/that\.yaml:1:11: There is no scenario 'them'/m,
    /^countersign\.config\.yaml:2:14: There is no scenario 'gone'\./m,
    /^--scenario: There is no scenario 'nope'\./m,
    /^7 complaints\.$/m,
  ])
    t.match(err, says)
  const summary = new RegExp(`^No complaints: no config file, \\d+ fixtures, ${shipped} scenarios\\.$`, 'm')
  t.match(await run(t, ['validate']), { code: 0, out: summary, err: '' }, 'what is shipped is valid')
})

t.test('validate reports what in a scenario file nothing can meet', async (t) => {
  const rule = (text: string) => `rules:\n  - ${text}\n`
  const cwd = folder(t, {
    [CONFIG]: "mutate: { except: [{ mutant: 'nothing/at/all', why: later }] }\n",
    'scenarios/alias.yaml': rule('on: *'),
    'scenarios/body.yaml': rule("{ on: addOrganizationMember, when: { body: { 'data[0][e-mail]': x } }, answer: {} }"),
    'scenarios/empty.yaml': '',
    'scenarios/fault.yaml': rule('{ on: verifyDocument, answer: { status: 404, fault: TIMEOUT } }'),
    'scenarios/fine.yaml': rule(
      "{ on: '*', when: { body: { code: x }, state: On }, answer: {} }\n  - { on: '*', then: On }",
    ),
    'scenarios/state.yaml': rule('{ on: verifyDocument, when: { state: Recoverd }, answer: {}, then: Recovered }'),
    'scenarios/two.yaml': 'rules: []\n---\nrules: []\n',
  })
  const { code, err } = await run(t, ['validate'], { cwd })
  t.equal(code, 1)
  for (const says of [
    "countersign.config.yaml:1:30: There is no mutant 'nothing/at/all'.",
    "scenarios/alias.yaml:2:9: A lone * has a meaning of its own in YAML: put it in quotes, as in '*'.",
    "scenarios/body.yaml:2:69: addOrganizationMember has no field 'data[0][e-mail]'. Did you mean 'data[0][email]'?",
    'scenarios/empty.yaml: The file is empty: add rules, or delete it.',
    'scenarios/fault.yaml:2:45: The connection fails with TIMEOUT, so no client gets the status 404: leave one of the two out.',
    "scenarios/state.yaml:2:42: No rule leads to the state 'Recoverd'. Did you mean 'Recovered'?",
    'scenarios/two.yaml:2:1: The file holds more than one document: remove the line ---, or make a file of each.',
    '7 complaints.',
  ])
    t.ok(err.includes(says), says, { err })
})

t.test('list prints what it can, and fails where scenario files are broken', async (t) => {
  const cwd = folder(t, { 'scenarios/bad.yaml': 'rules: [{ on: nope }]', 'scenarios/good.yaml': 'rules: []' })
  t.match(await run(t, ['list'], { cwd }), { code: 1, out: /^ {2}good /m, err: /^scenarios\/bad\.yaml:1:15: / })
  t.match(await run(t, ['list', 'tokens'], { cwd }), { code: 0, err: '' }, 'no other list needs them')
})

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
    { [CONFIG]: 'version: 1\n\nbodyLimit: -1\nauth: loud\nbody-limit: 1\n' },
    '',
    "config.yaml:3:12: 'bodyLimit' must be .*, not -1\\.$",
    "config.yaml:4:7: 'auth' must be .*, not 'loud'\\.$",
    "config.yaml:5:1: The key 'body-limit' is unknown\\. Did you mean 'bodyLimit'\\?",
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
    for (const command of ['validate', 'start', 'exec']) {
      const child = command === 'exec' ? ['--', 'true'] : []
      const { code, err } = await run(t, [command, ...args.split(' ').filter(Boolean), ...child], { cwd })
      t.equal(code, 1, `${command}: ${JSON.stringify(files)}`)
      for (const one of says) t.match(err, new RegExp(`^(countersign: )?(countersign\\.)?${one}`, 'm'), command)
      t.notMatch(err, /\bat .*:\d+:\d+\)?$/m, `${command}: no stack`)
      if (command === 'validate') t.match(err, new RegExp(`^${says.length} complaints?\\.$`, 'm'), 'no other complaint')
    }
  }
})

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
/** Deeper than any call stack. */
const DEEP = 50_000
/** Over the size up to which a place in a file is looked for. */
const DEEP_AND_LARGE = 2_200_000

t.test('a deeply nested file of any size is named', async (t) => {
  for (const [line, levels, code] of [
    ['validate --config it.json', DEEP, 1],
    ['validate --fixtures it.json', DEEP, 1],
    ['validate --fixtures it.json', DEEP_AND_LARGE, 1],
    ['verify --target http://127.0.0.1:1 --token x --data it.json', DEEP, 2],
    ['coverage it.json', DEEP, 1],
  ] as const) {
    const cwd = folder(t, { 'it.json': `{"version":1,"users":${nested(levels)}}` })
    const err = /it\.json: The content is nested more than 100 levels deep\.$/m
    t.match(await run(t, line.split(' '), { cwd }), { code, err }, `${line}, ${levels} levels`)
  }
})
