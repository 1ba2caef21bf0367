import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { build } from '../helper.js'

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
  for (const says of [
    /^fx\.json:1:\d+: 'user_uuid' refers to a record that does not exist|^fx\.json:1:\d+: 'projects\.0\.user_uuid' must be/m,
    /^scenarios\/it\.yaml:1:\d+: verifyDocument does not declare 409/m,
    /^scenarios\/that\.yaml:1:11: There is no scenario 'them'/m,
    /^countersign\.config\.yaml:2:14: There is no scenario 'gone'\./m,
    /^--scenario: There is no scenario 'nope'\./m,
    /^5 complaints\.$/m,
  ])
    t.match(err, says)
  const summary = new RegExp(`^No problems found: no config file, \\d+ fixtures, ${shipped} scenarios\\.$`, 'm')
  t.match(await run(t, ['validate']), { code: 0, out: summary, err: '' }, 'what is shipped is valid')
})

t.test('validate and the log of the server report a rule that can never answer', async (t) => {
  const never = `version: 1
extends: [service-down]
rules:
  - { on: verifyDocument, answer: { status: 404 } }
`
  const late = `version: 1
rules:
  - { on: uploadSignature, when: { state: Started }, answer: { delay: 5 }, then: Late }
  - { on: '*', when: { state: Started }, chance: 0.5, answer: {} }
  - { on: uploadSignature, when: { state: Started, token: x }, times: 1, answer: { status: 401 } }
  - { on: uploadSignature, times: 1, answer: { status: 401 } }
  - { on: uploadSignature, answer: { status: 422 } }
  - { on: [uploadSignature, verifyDocument], answer: { status: 422 } }
`
  const cwd = folder(t, { 'scenarios/never.yaml': never, 'scenarios/late.yaml': late })
  const { code, err } = await run(t, ['validate'], { cwd })
  t.equal(code, 1)
  t.match(
    err,
    /^scenarios\/never\.yaml:4:5: This rule can never answer, because its calls are always answered by a rule of a scenario that it extends/m,
  )
  t.match(
    err,
    /^scenarios\/late\.yaml:5:5: This rule can never answer, because its calls are always answered by rule 1\./m,
  )
  t.match(err, /^2 complaints\.$/m, 'the other rules can')
  const told: string[] = []
  await build(t, { scenarios: join(cwd, 'scenarios') }, { notify: (text) => told.push(text) })
  t.match(told.join('\n'), /never\.yaml:4:5: This rule can never answer/, 'the server starts, and says so')
})

t.test('validate reports what in a scenario file nothing can meet, and how a rule is written', async (t) => {
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
    'scenarios/fault.yaml:2:45: The connection fails with TIMEOUT, so nobody sees the status 404: leave one of the two out.',
    "scenarios/state.yaml:2:42: No rule leads to the state 'Recoverd'. Did you mean 'Recovered'?",
    'scenarios/two.yaml:2:1: The file holds more than one document: remove the line ---, or make a file of each.',
    '7 complaints.',
  ])
    t.ok(err.includes(says), says, { err })
})

t.test('two config files are told apart, and init makes no second one', async (t) => {
  const one = folder(t, { 'countersign.config.json': '{ "active": ["service-down"] }' })
  const two = folder(t, { [CONFIG]: '', 'countersign.config.json': '{}' })
  const blocked = folder(t, { scenarios: 'a file' })
  const says = /config\.json: There is another config file beside it, countersign\.config\.yaml, .*Remove one of them/
  for (const [cwd, command, err] of [
    [one, 'init', /Already exists: countersign\.config\.json\. Move it away first\./],
    [two, 'start', says],
    [two, 'validate', says],
    [blocked, 'init', /scenarios/],
  ] as const)
    t.match(await run(t, [command], { cwd }), { code: 1, err })
  t.same([readdirSync(one), readdirSync(blocked)], [['countersign.config.json'], ['scenarios']], 'nothing is written')
})

t.test('a complaint names what set a name or a path', async (t) => {
  const nowhere = (name: string) => folder(t, { [CONFIG]: `version: 1\n${name}: ./nope\n` })
  for (const [args, place, says] of [
    ['--scenario nope', {}, "--scenario: There is no scenario 'nope'\\."],
    ['', { env: { COUNTERSIGN_SCENARIO: 'foo' } }, "COUNTERSIGN_SCENARIO: There is no scenario 'foo'\\."],
    ...['scenarios', 'fixtures'].flatMap((name) => {
      const variable = `COUNTERSIGN_${name.toUpperCase()}`
      const key = `countersign\\.config\\.yaml:2:${name.length + 3}`
      return [
        [`--${name} ./nope`, {}, `\\./nope: .*it does not exist\\. Check --${name}\\.$`],
        ['', { env: { [variable]: 'nope' } }, `nope: .*it does not exist\\. Check ${variable}\\.$`],
        ['', { cwd: nowhere(name) }, `${key}: \\./nope: .*it does not exist\\.$`],
      ] as const
    }),
  ] as const) {
    const { code, err } = await run(t, ['validate', ...args.split(' ').filter(Boolean)], place)
    t.match({ code, err }, { code: 1, err: new RegExp(`^${says}`, 'm') })
  }
})

t.test('list prints what it can, and fails where scenario files are broken', async (t) => {
  const cwd = folder(t, { 'scenarios/bad.yaml': 'rules: [{ on: nope }]', 'scenarios/good.yaml': 'rules: []' })
  t.match(await run(t, ['list'], { cwd }), { code: 1, out: /^ {2}good /m, err: /^scenarios\/bad\.yaml:1:15: / })
  t.match(await run(t, ['list', 'tokens'], { cwd }), { code: 0, err: '' }, 'no other list needs them')
})

t.test('what is only still accepted is not advertised', async (t) => {
  const validate = (answer: string) =>
    run(t, ['validate'], {
      cwd: folder(t, { 'scenarios/it.yaml': `rules: [{ on: verifyDocument, answer: { ${answer} } }]` }),
    })
  const allowed = 'status, body, headers, delay, fault, effect'
  const says = new RegExp(`The key 'sttus' is unknown\\. Did you mean 'status'\\? Allowed: ${allowed}\\.$`, 'm')
  t.match(await validate('sttus: 200'), { err: says })
  t.match(await validate('status: 299, offContract: true'), { code: 0 })
})
