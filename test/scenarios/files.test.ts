import type { InjectOptions } from 'fastify'
import t from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { folder as temporaryFolder } from '../binary.js'
import { run } from '../command-line.js'
import { adminOf, build, folderOf, type Server, send } from '../helper.js'

/** Invalid rules with their messages; cases/commands/wrong-files.txt has more, and shows the lines. */
const mistakes: readonly (readonly [rule: string, message: string])[] = [
  ['{ on: [verifyDocument, nope] }', "not 'nope'"],
  ["{ on: '*', answer: { status: 409 } }", 'uploadSignature does not declare 409'],
  ['{ on: verifyDocument, answer: { status: 409 } }', '409 is declared by addOrganizationMember.'],
  [
    '{ on: [verifyDocument, listCreditHistories], answer: { status: 404 } }',
    'listCreditHistories does not declare 404',
  ],
  ['{ on: verifyDocument, answer: { effect: before } }', "must be one of none, after, not 'before'"],
  ['{ on: verifyDocument, answer: { delay: -1 } }', 'not -1'],
  ['{ on: verifyDocument, answer: { delay: 700000 } }', 'not 700000'],
  [
    '{ on: verifyDocument, answer: { delay: { lognormal: { median: 600, sigma: 9 } } } }',
    'a number from 0 to 5, not 9',
  ],
  ['{ on: verifyDocument, answer: { delay: { lognormal: { median: 0, sigma: 1 } } } }', 'from 1 to 600000, not 0'],
  ['{ on: verifyDocument, answer: { delay: { uniform: { lower: 1 } } } }', "upper' is missing"],
  ['{ on: verifyDocument, answer: { delay: { gauss: { sigma: 1 } } } }', 'with uniform or an object with lognormal'],
  ['{ on: verifyDocument, answer: { headers: { X-A: 1 } } }', 'text or a list of text, not 1. Put it in quotes.'],
  ["{ on: verifyDocument, answer: { headers: { X-A: 'ł' } } }", 'one line of Latin-1 text'],
  ['{ on: verifyDocument, answer: { headers: { Content-Type: [a/b, c/d] } } }', 'one content type'],
  [
    '{ on: verifyDocument, answer: { headers: { Content-Type: text/html } } }',
    "By contract, answers are JSON, not 'text/html'.",
  ],
  ['{ on: verifyDocument, when: { boddy: {} } }', "'boddy' is unknown. Did you mean 'body'?"],
  ["{ on: verifyDocument, when: { token: { matches: '((a{0,100}){0,10})$' } } }", 'over 1,000 steps'],
]

t.test('all mistakes in all files are reported at once, each with its line', async (t) => {
  const files = {
    'scenarios/it.yaml': `rules:\n${mistakes.map(([rule]) => `  - ${rule}\n`).join('')}`,
    'scenarios/broken.yaml': 'rules: [{ on: nope }, { off: yes }]\n',
    'scenarios/extending.yaml': 'extends: [broken]\n',
    'scenarios/near.yaml': 'extends: ["verifyDocument:404", service-dwn]\n',
    'scenarios/one.yaml': 'extends: [two]\n',
    'scenarios/two.yaml': 'extends: [one]\n',
    'scenarios/.hidden.yaml': 'nonsense: true\n',
  }
  const { code, err } = await run(t, ['validate'], { cwd: temporaryFolder(t, files) })
  t.equal(code, 1)
  const reported = err.split('\n').filter((line) => line.startsWith('scenarios/'))
  for (const [at, [rule, message]] of mistakes.entries()) {
    const [complaint = '', ...more] = reported.filter((line) => line.startsWith(`scenarios/it.yaml:${at + 2}:`))
    t.match(complaint, message, rule)
    t.same(more, [], `${rule}: nothing else is reported`)
  }
  for (const message of [
    /^scenarios\/broken\.yaml:1:\d+: 'rules\.0\.on' must be/m,
    /^scenarios\/broken\.yaml:1:\d+: The key 'off' is unknown/m,
    /^scenarios\/extending\.yaml:1:\d+: The scenario 'broken' cannot be used: fix its file first/m,
    /^scenarios\/near\.yaml:1:\d+: There is no scenario 'service-dwn'\. Did you mean 'service-down'\?/m,
    /^scenarios\/two\.yaml:1:\d+: 'extends' forms a circle: one → two → one/m,
  ])
    t.match(err, message)
  t.equal(reported.length, mistakes.length + 5, 'nothing else is reported', { reported })
})

t.test('a scenario in the user’s folder replaces a shipped one of the same name', async (t) => {
  const server = await build(t, { scenarios: folderOf(t, { 'slow-everything': [] }), scenario: ['slow-everything'] })
  const { scenarios } = (await admin(server, 'GET', 'scenarios')).json()
  const found = scenarios.filter(({ name }: { name: string }) => name === 'slow-everything')
  t.match(found, [{ rules: { length: 0 }, source: 'file' }], 'it has the rules of the user’s file')
})

const CONFLICT = { rules: [{ on: 'addOrganizationMember', answer: { status: 409 } }] }

const admin = ({ app }: Server, method: InjectOptions['method'], path: string, payload?: object | string) =>
  app.inject({
    method,
    url: `/__admin/${path}`,
    ...(payload !== undefined && { payload }),
    ...(typeof payload === 'string' && { headers: { 'content-type': 'application/yaml' } }),
  })

const statusOf = async (server: Server) => (await send(server, addOrganizationMember)).statusCode

t.test('a scenario can be defined, switched, replaced and removed while the server runs', async (t) => {
  const server = await build(t)
  const put = await admin(server, 'PUT', 'scenarios/mine', { description: 'Taken.', ...CONFLICT })
  const defined = { name: 'mine', source: 'defined', active: false, description: 'Taken.' }
  t.match([put.statusCode, put.json()], [200, defined])
  t.equal(await statusOf(server), 200, 'a new scenario is inactive')
  await admin(server, 'PUT', 'scenarios/mine', { active: true })
  t.equal(await statusOf(server), 409, 'it can be activated')
  const other = { rules: [{ on: 'addOrganizationMember', answer: { status: 500 } }] }
  t.match((await admin(server, 'PUT', 'scenarios/mine', other)).json(), { active: true, description: '' })
  t.equal(await statusOf(server), 500, 'a replaced scenario stays active')
  await admin(server, 'PUT', 'scenarios/mine', { ...CONFLICT, active: false })
  t.equal(await statusOf(server), 200, '`active: false` deactivates it')
  await admin(server, 'PUT', 'scenarios/mine', { active: true })
  t.equal((await admin(server, 'DELETE', 'scenarios/mine')).statusCode, 200, 'it can be removed')
  t.equal(await statusOf(server), 200, 'it does not answer any more')
  t.same(await adminOf(server).active(), [], 'it is not active any more')
  t.equal((await admin(server, 'DELETE', 'scenarios/mine')).statusCode, 404, 'it cannot be removed twice')
})

t.test('a defined scenario belongs to its sandbox, and a reset removes it', async (t) => {
  const server = await build(t)
  await admin(server, 'PUT', 'scenarios/mine', { ...CONFLICT, active: true })
  t.equal((await server.app.inject('/~other/__admin/scenarios/mine')).statusCode, 404, 'other sandboxes do not have it')
  await admin(server, 'POST', 'reset')
  t.equal((await admin(server, 'GET', 'scenarios/mine')).statusCode, 404, 'a reset removes it')
  t.equal(await statusOf(server), 200, 'it does not answer any more')
})

t.test('a defined scenario replaces one of the same name until it is removed', async (t) => {
  const scenarios = folderOf(t, { it: [{ on: '*', answer: { status: 401 } }] })
  const server = await build(t, { scenarios, active: ['it'] })
  t.equal(await statusOf(server), 401, 'the file’s scenario answers')
  await admin(server, 'PUT', 'scenarios/it', CONFLICT)
  t.equal(await statusOf(server), 409, 'the defined scenario answers instead')
  const listed: { name: string; source: string }[] = (await admin(server, 'GET', 'scenarios')).json().scenarios
  const found = listed.filter(({ name }) => name === 'it')
  t.match(found, [{ source: 'defined' }], 'it is listed once')
  await admin(server, 'DELETE', 'scenarios/it')
  t.equal(await statusOf(server), 401, 'the file’s scenario answers again')
  for (const name of ['it', 'service-down', 'gateway:503'])
    t.equal((await admin(server, 'DELETE', `scenarios/${name}`)).statusCode, 409, `${name} cannot be removed`)
  const sources = Object.fromEntries(listed.map(({ name, source }) => [name, source]))
  t.match(sources, { it: 'defined', 'service-down': 'shipped', 'addOrganizationMember:409': 'shipped' })
})

t.test('an invalid definition changes nothing', async (t) => {
  const server = await build(t)
  const rules = [{ on: 'verifyDocument', answer: { status: 404 } }]
  const invalid: readonly (readonly [name: string, object | string, RegExp])[] = [
    ['mine', { extends: ['mine'], rules }, /extends\[0\]: .*circle/],
    ['mine', { extends: ['nobody'], rules }, /extends\[0\]: There is no scenario 'nobody'/],
    ['mine', { rules, activ: true }, /Did you mean 'active'/],
    ['mine', 'rules: [', /mine\.yaml:1:\d+/],
    ['mine', 'rules:\n  - on: verifyDocument\n    answer: { status: 418 }\n', /mine\.yaml:3:23: verifyDocument /],
    ['gateway:503', { rules }, /is reserved for an outcome/],
    ['a%2Fb', { rules }, /is not a valid scenario name/],
    ['a%E2%80%AEb', { rules }, /is not a valid scenario name/],
    ['x'.repeat(101), { rules }, /is not a valid scenario name/],
  ]
  for (const [name, definition, detail] of invalid)
    t.match((await admin(server, 'PUT', `scenarios/${name}`, definition)).json(), { status: 400, detail }, name)
  t.equal((await admin(server, 'GET', 'scenarios/mine')).statusCode, 404, 'no scenario is defined')
})

t.test('a definition in YAML extends other scenarios, and can be read back as a file', async (t) => {
  const server = await build(t)
  const rule = 'on: verifyDocument, when: { body: { code: { startsWith: X } } }, times: 2, then: Done'
  const yaml = `extends: [gateway:503]\nrules:\n  - { ${rule}, answer: { status: 404, delay: 5 } }\nactive: true\n`
  const put = await admin(server, 'PUT', 'scenarios/mine', yaml)
  t.match(put.json(), { active: true, rules: [{ on: '*', answer: { status: 503 } }, { on: ['verifyDocument'] }] })
  t.equal((await send(server, listCreditHistories)).statusCode, 503, 'it answers')
  const file = await admin(server, 'GET', 'scenarios/mine?format=yaml')
  const again = await admin(server, 'PUT', 'scenarios/again', file.body)
  t.same(again.json().rules, put.json().rules, 'the file has the same rules')
})
