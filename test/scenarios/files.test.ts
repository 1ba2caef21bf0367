import type { InjectOptions } from 'fastify'
import t from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { folder as temporaryFolder } from '../binary.js'
import { run } from '../command-line.js'
import { adminOf, build, folderOf, type Server, type Settings, send } from '../helper.js'

const first = (rule: string) => `version: 1\nrules:\n  - ${rule}\n`

const mistakes: readonly (readonly [yaml: string, place: string, says: RegExp])[] = [
  ['extends: [it-0]\n', '1:11', /'extends' forms a circle: it-0 → it-0/],
  ['rules: {\n', '2:1', /./],
  ['rules:\n  - on: verifyDocument\n answer: {}\n', '3:1', /./],
  ['descripton: x\n', '1:1', /The key 'descripton' is unknown\. Did you mean 'description'\? Allowed: \$schema, /],
  ['version: 2\n', '1:10', /'version' must be 1, not 2/],
  [first('on: verifyDocumnt'), '3:9', /one of uploadSignature, .* or '\*', not .*Did you mean 'verifyDocument'\?/],
  [first('on: [verifyDocument, nope]'), '3:26', /not 'nope'/],
  [first('answer: {}'), '3:5', /'rules\.0\.on' is missing: it must be one of uploadSignature/],
  [first('{ on: verifyDocument, awnser: {} }'), '3:27', /The key 'awnser' is unknown\. Did you mean 'answer'\?/],
  [
    first('{ on: verifyDocument, answer: { status: 409 } }'),
    '3:45',
    /verifyDocument does not declare 409\. It declares 200, 400, 401, 404, 422; gateway statuses are 429, 500, .*\. 409 is declared by addOrganizationMember\.$/m,
  ],
  [
    first('{ on: verifyDocument, answer: { status: 418 } }'),
    '3:45',
    /verifyDocument does not declare 418\. .*; any other needs 'offContract: true'\.$/m,
  ],
  [first("{ on: '*', answer: { status: 409 } }"), '3:34', /uploadSignature does not declare 409/],
  [first('{ on: [verifyDocument, listCreditHistories], answer: { status: 404 } }'), '3:68', /listCreditHistories d/],
  [first('{ on: verifyDocument, answer: { sttaus: 404 } }'), '3:37', /'sttaus' is unknown\. Did you mean 'status'\?/],
  [
    first('{ on: verifyDocument, answer: { fault: TIMEOT } }'),
    '3:44',
    /one of CONN.*'TIMEOT'\. Did you mean 'TIMEOUT'/,
  ],
  [first('{ on: verifyDocument, answer: { effect: before } }'), '3:45', /one of none, after, not 'before'/],
  [first('{ on: verifyDocument, answer: { delay: -1 } }'), '3:44', /from 0 to 600000.*not -1/],
  [first('{ on: verifyDocument, answer: { delay: 700000 } }'), '3:44', /not 700000/],
  [first('{ on: verifyDocument, answer: { delay: { uniform: { lower: 9, upper: 1 } } } }'), '3:55', /\(9\) is above/],
  ...(
    [
      ['lognormal: { median: 600, sigma: 9 }', '3:79', /sigma' must be a number from 0 to 5, not 9/],
      ['lognormal: { median: 0, sigma: 1 }', '3:67', /must be a number from 1 to 600000, not 0/],
      ['uniform: { lower: 1 }', '3:55', /'rules\.0\.answer\.delay\.uniform\.upper' is missing/],
      ['gauss: { sigma: 1 }', '3:44', /an object with uniform or an object with lognormal, not \{"gauss/],
    ] as const
  ).map(
    ([delay, place, says]) => [first(`{ on: verifyDocument, answer: { delay: { ${delay} } } }`), place, says] as const,
  ),
  [first('{ on: verifyDocument, answer: { headers: { X-A: "a\\nb" } } }'), '3:53', /Latin-1 text, not 'a\\u000ab'/],
  [first('{ on: verifyDocument, answer: { headers: { X-A: 1 } } }'), '3:53', /must be text, not 1/],
  [first('{ on: verifyDocument, times: 0 }'), '3:34', /a whole number of 1 or more, not 0/],
  [first('{ on: verifyDocument, chance: 2 }'), '3:35', /a number from 0 to 1, not 2/],
  [first('{ on: verifyDocument, when: { boddy: {} } }'), '3:35', /'boddy' is unknown\. Did you mean 'body'\?/],
  [first('{ on: verifyDocument, when: { body: { code: { like: x } } } }'), '3:51', /'like' is unknown.*: equals, con/],
  [first("{ on: verifyDocument, when: { token: { matches: '(' } } }"), '3:33', /cannot be used: .*Patterns are RE2/],
  [first("{ on: verifyDocument, when: { token: { matches: 'a(?=b)' } } }"), '3:33', /no look-around, no back-ref/],
  [first("{ on: verifyDocument, when: { token: { matches: '((a{0,100}){0,10})$' } } }"), '3:33', /over 1,000 steps/],
  [
    first('{ on: listCreditHistories, answer: { body: { page: 1, per_page: 1, total: one, histories: [] } } }'),
    '3:79',
    /departs from the contract of listCreditHistories:200: 'total' must be .*, not 'one'\. Fix it, or add 'offContract: true'/,
  ],
  [first('{ on: listCreditHistories, answer: { body: { page: 1, per_page: 1, total: 1 } } }'), '3:48', /is missing/],
  [first('{ on: verifyDocument, answer: { status: 404, body: { message: no } } }'), '3:56', /'error' is missing/],
  ['extends: [verifyDocument:404, basse]\n', '1:31', /There is no scenario 'basse'\. Did you mean 'base'\?/],
]

t.test('every mistake in every file is reported at once, each with its place and a frame', async (t) => {
  const files = Object.fromEntries(mistakes.map(([yaml], at) => [`scenarios/it-${at}.yaml`, yaml]))
  const others = {
    'scenarios/base.yaml': 'rules: []\n',
    'scenarios/broken.yaml': 'rules: [{ on: nope }, { off: yes }]\n',
    'scenarios/extending.yaml': 'extends: [broken]\n',
    'scenarios/one.yaml': 'extends: [two]\n',
    'scenarios/two.yaml': 'extends: [one]\n',
    'scenarios/twin.yml': 'rules: []\n',
    'scenarios/twin.yaml': 'rules: []\n',
    'scenarios/.hidden.yaml': 'nonsense: true\n',
    'scenarios/notes.txt': 'no scenario',
  }
  const { code, err } = await run(t, ['validate'], { cwd: temporaryFolder(t, { ...files, ...others }) })
  t.equal(code, 1)
  for (const [at, [yaml, place, says]] of mistakes.entries()) {
    const [complaint = '', ...more] = err
      .split(/^(?=scenarios\/|\d+ complaints)/m)
      .filter((one) => one.includes(`/it-${at}.yaml:`))
    const line = place.split(':')[0]
    t.ok(complaint.startsWith(`scenarios/it-${at}.yaml:${place}: `), `${yaml}: the place`, { complaint })
    t.match(complaint, says, `${yaml}: the message explains it`)
    t.match(complaint, new RegExp(`> ${line} \\| .*\\n +\\| +\\^`), `${yaml}: a frame marks it`)
    t.same(more, [], `${yaml}: nothing else is said`)
  }
  for (const says of [
    /^scenarios\/broken\.yaml:1:\d+: 'rules\.0\.on' must be/m,
    /^scenarios\/broken\.yaml:1:\d+: 'rules\.1\.on' is missing/m,
    /^scenarios\/broken\.yaml:1:\d+: The key 'off' is unknown/m,
    /^scenarios\/extending\.yaml:1:\d+: The scenario 'broken' cannot be used: fix its file first/m,
    /^scenarios\/one\.yaml:1:\d+: 'extends' forms a circle: two → one → two/m,
    /^scenarios\/two\.yaml:1:\d+: 'extends' forms a circle: one → two → one/m,
    /^scenarios\/twin\.yml.*: There is another file for the scenario 'twin' in this folder: rename one/m,
    new RegExp(`^${mistakes.length + 7} complaints\\.$`, 'm'),
  ])
    t.match(err, says)
})

t.test('a scenario file that cannot be used stops the start, with the reason, whether it is on or not', async (t) => {
  const folder = folderOf(t, { 'it.yaml': first('on: nope') })
  const fixtures = temporaryFolder(t, { 'users.json': '{"users": 1}' })
  for (const [settings, message] of [
    [{ scenarios: folder, scenario: ['it'] }, /it\.yaml:3:9: 'rules\.0\.on' must be/],
    [{ scenarios: folder, fixtures }, /users\.json:1:11: 'users' must be[\s\S]*it\.yaml:3:9: /],
    [{ scenario: ['slow-everthing'] }, /Did you mean 'slow-everything'\?/],
    [{ scenarios: folder }, /it\.yaml:3:9: /],
    [{ scenarios: 'nowhere-at-all' }, /nowhere-at-all: The scenarios cannot be read: no such file or directory\./],
  ] as [Partial<Settings>, RegExp][])
    await t.rejects(build(t, settings), { message }, `${message}`)
})

t.test('a scenario in the user’s folder replaces a shipped one of the same name', async (t) => {
  const server = await build(t, { scenarios: folderOf(t, { 'slow-everything': [] }), scenario: ['slow-everything'] })
  const { scenarios } = (await admin(server, 'GET', 'scenarios')).json()
  const named = scenarios.filter(({ name }: { name: string }) => name === 'slow-everything')
  t.match(named, [{ rules: [], source: 'file' }], 'its rules are those of the user’s file')
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

t.test('a scenario is defined, switched, replaced and removed while the server runs', async (t) => {
  const server = await build(t)
  const put = await admin(server, 'PUT', 'scenarios/mine', { description: 'Taken.', ...CONFLICT })
  const defined = { name: 'mine', source: 'defined', active: false, description: 'Taken.' }
  t.match([put.statusCode, put.json()], [200, defined])
  t.equal(await statusOf(server), 200, 'a new one is off')
  await admin(server, 'PUT', 'scenarios/mine', { active: true })
  t.equal(await statusOf(server), 409, 'it is switched as any other')
  const other = { rules: [{ on: 'addOrganizationMember', answer: { status: 500 } }] }
  t.match((await admin(server, 'PUT', 'scenarios/mine', other)).json(), { active: true, description: '' })
  t.equal(await statusOf(server), 500, 'a replaced one stays on')
  await admin(server, 'PUT', 'scenarios/mine', { ...CONFLICT, active: false })
  t.equal(await statusOf(server), 200, 'unless it says otherwise')
  await admin(server, 'PUT', 'scenarios/mine', { ...CONFLICT, active: true })
  t.equal((await admin(server, 'DELETE', 'scenarios/mine')).statusCode, 200, 'it is removed')
  t.equal(await statusOf(server), 200, 'and plays no more')
  t.same(await adminOf(server).active(), [], 'and is not on')
  t.equal((await admin(server, 'DELETE', 'scenarios/mine')).statusCode, 404, 'it is gone')
})

t.test('it belongs to its sandbox, and ends with its reset', async (t) => {
  const server = await build(t)
  await admin(server, 'PUT', 'scenarios/mine', { ...CONFLICT, active: true })
  t.equal((await server.app.inject('/~other/__admin/scenarios/mine')).statusCode, 404, 'other sandboxes have none')
  await admin(server, 'POST', 'reset')
  t.equal((await admin(server, 'GET', 'scenarios/mine')).statusCode, 404, 'a reset ends it')
  t.equal(await statusOf(server), 200, 'and what it did')
})

t.test('it hides a file’s or a shipped one, which shows again and stays on', async (t) => {
  const scenarios = folderOf(t, { it: [{ on: '*', answer: { status: 401 } }] })
  const server = await build(t, { scenarios, active: ['it'] })
  t.equal(await statusOf(server), 401, 'the file’s answers')
  await admin(server, 'PUT', 'scenarios/it', CONFLICT)
  t.equal(await statusOf(server), 409, 'the defined one answers in its place')
  const listed: { name: string; source: string }[] = (await admin(server, 'GET', 'scenarios')).json().scenarios
  const named = listed.filter(({ name }) => name === 'it')
  t.match(named, [{ source: 'defined' }], 'it is listed once')
  await admin(server, 'DELETE', 'scenarios/it')
  t.equal(await statusOf(server), 401, 'the file’s answers again')
  for (const name of ['it', 'service-down', 'gateway:503'])
    t.equal((await admin(server, 'DELETE', `scenarios/${name}`)).statusCode, 409, `${name} cannot be removed`)
  const sources = Object.fromEntries(listed.map(({ name, source }) => [name, source]))
  t.match(sources, { it: 'defined', 'service-down': 'shipped', 'addOrganizationMember:409': 'shipped' })
})

t.test('what is wrong is told as in a file, each with its path', async (t) => {
  const server = await build(t)
  const rules = [{ on: 'verifyDocument', answer: { status: 404 } }]
  const teapot = { on: 'verifyDocument', answer: { status: 418 } }
  const trailing = { on: '*', offContract: true, answer: { status: 200, headers: { Trailer: 'X-T' } } }
  const wrong: readonly (readonly [object, Readonly<Record<string, RegExp>>])[] = [
    [
      { rules: [...rules, teapot, { on: 'nope' }] },
      { 'rules[2].on': /not 'nope'/, 'rules[1].answer.status': /does not declare 418/ },
    ],
    [{ rulez: [] }, { rulez: /'rulez' is unknown\. Did you mean 'rules'/ }],
    [
      { rules: [{ on: '*', when: { body: { '': { equals: '' } } } }] },
      { 'rules[0].when.body': /no name, and so never/ },
    ],
    [{ rules: [{ on: '*', when: { query: { page: { matches: '(' } } } }] }, { 'rules[0].when': /pattern/ }],
    [{ rules: [trailing] }, { 'rules[0].answer.headers.Trailer': /'Trailer' is set by the server/ }],
    [{ extends: ['nope'], rules }, { 'extends[0]': /There is no scenario 'nope'/ }],
    [{ extends: ['mine'], rules }, { 'extends[0]': /circle/ }],
    [{ rules, activ: true }, { activ: /Did you mean 'active'/ }],
    [{ description: 'No rules.' }, { '': /'rules' is missing/ }],
  ]
  for (const [definition, wanted] of wrong) {
    const { status, complaints } = (await admin(server, 'PUT', 'scenarios/mine', definition)).json()
    const expected = Object.entries(wanted).map(([path, message]) => ({ path, message }))
    t.match({ status, complaints }, { status: 400, complaints: expected }, JSON.stringify(definition))
  }
  const refusals: readonly (readonly [name: string, object | string, RegExp])[] = [
    ['mine', [], /must be an object/],
    ['verifyDocument:404', { rules }, /is the name of an outcome/],
    ['gateway:503', { rules }, /is the name of an outcome/],
    ['a%2Fb', { rules }, /is not a valid scenario name/],
    ['x'.repeat(101), { rules }, /is not a valid scenario name/],
    ['mine', 'rules: [', /mine\.yaml:1:\d+/],
    ['a%E2%80%AEb', { rules }, /is not a valid scenario name/],
    ['mine', 'rules:\n  - on: verifyDocument\n    answer: { status: 418 }\n', /mine\.yaml:3:23: verifyDocument /],
  ]
  for (const [name, definition, detail] of refusals)
    t.match((await admin(server, 'PUT', `scenarios/${name}`, definition)).json(), { status: 400, detail }, name)
  t.equal((await admin(server, 'GET', 'scenarios/mine')).statusCode, 404, 'nothing of it stays')
})

t.test('a definition extends what there is, as YAML too, and is given back as a file', async (t) => {
  const server = await build(t)
  const yaml = 'extends: [gateway:503]\nrules:\n  - on: verifyDocument\n    answer: { status: 404 }\nactive: true\n'
  const put = await admin(server, 'PUT', 'scenarios/mine', yaml)
  t.match(put.json(), { active: true, rules: [{ on: '*', answer: { status: 503 } }, { on: ['verifyDocument'] }] })
  t.match(put.json().rules[0].says, /any operation: the answer is 503/, 'in plain words')
  t.equal((await send(server, listCreditHistories)).statusCode, 503, 'it plays')
  const file = await admin(server, 'GET', 'scenarios/mine?format=yaml')
  t.match([file.headers['content-type'], file.body], [/yaml/, /on: verifyDocument/])
  const again = await admin(server, 'PUT', 'scenarios/again', file.body)
  t.same(again.json().rules, put.json().rules, 'the file says the same')
})
