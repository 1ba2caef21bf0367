import type { InjectOptions } from 'fastify'
import t from 'tap'
import { addOrganizationMember, listCreditHistories, verifyDocument } from '../../schemas/index.js'
import type { Server } from '../../src/server/create-server.js'
import { startMockServer } from '../../src/server/start-mock-server.js'
import { build, send } from '../helper.js'
import { folderOf } from './play.js'

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
  t.same(server.worlds.root.playback.active, [], 'and is not on')
  t.equal((await admin(server, 'DELETE', 'scenarios/mine')).statusCode, 404, 'it is gone')
})

t.test('it belongs to its world, and ends with its reset', async (t) => {
  const server = await build(t)
  await admin(server, 'PUT', 'scenarios/mine', { ...CONFLICT, active: true })
  t.equal((await server.app.inject('/~other/__admin/scenarios/mine')).statusCode, 404, 'other worlds have none')
  await admin(server, 'POST', 'reset')
  t.equal((await admin(server, 'GET', 'scenarios/mine')).statusCode, 404, 'a reset ends it')
  t.equal(await statusOf(server), 200, 'and what it did')
})

t.test('it hides a file’s or a shipped one, which shows again and stays on', async (t) => {
  const server = await build(t, {
    scenarios: folderOf(t, { it: [{ on: '*', answer: { status: 401 } }] }),
    active: ['it'],
  })
  t.equal(await statusOf(server), 401, 'the file’s answers')
  await admin(server, 'PUT', 'scenarios/it', CONFLICT)
  t.equal(await statusOf(server), 409, 'the defined one answers in its place')
  const { scenarios } = (await admin(server, 'GET', 'scenarios')).json()
  const named = scenarios.filter(({ name }: { name: string }) => name === 'it')
  t.match(named, [{ source: 'defined' }], 'it is listed once')
  await admin(server, 'DELETE', 'scenarios/it')
  t.equal(await statusOf(server), 401, 'the file’s answers again')
  t.equal((await admin(server, 'DELETE', 'scenarios/it')).statusCode, 409, 'a file’s cannot be removed')
  t.equal((await admin(server, 'DELETE', 'scenarios/service-down')).statusCode, 409, 'nor a shipped one')
  t.equal((await admin(server, 'DELETE', 'scenarios/gateway:503')).statusCode, 409, 'nor an outcome’s')
  t.match(
    Object.fromEntries(scenarios.map(({ name, source }: { name: string; source: string }) => [name, source])),
    { it: 'defined', 'service-down': 'shipped', 'addOrganizationMember:409': 'shipped' },
    'the list tells where each comes from',
  )
})

t.test('what is wrong is told as in a file, each with its path', async (t) => {
  const server = await build(t)
  const rules = [{ on: 'verifyDocument', answer: { status: 404 } }]
  const refusals: readonly (readonly [
    string,
    object | string,
    RegExp | readonly { path: string; message: RegExp }[],
  ])[] = [
    [
      'mine',
      { rules: [...rules, { on: 'verifyDocument', answer: { status: 418 } }, { on: 'nope' }] },
      [
        { path: 'rules[2].on', message: /not 'nope'/ },
        { path: 'rules[1].answer.status', message: /does not declare 418/ },
      ],
    ],
    ['mine', { rulez: [] }, [{ path: 'rulez', message: /'rulez' is unknown\. Did you mean 'rules'/ }]],
    ['mine', [], /must be an object/],
    [
      'mine',
      { rules: [{ on: '*', when: { body: { '': { equals: '' } } } }] },
      [{ path: 'rules[0].when.body', message: /has no name, and so never matches/ }],
    ],
    [
      'mine',
      { rules: [...rules, { on: 'verifyDocument', answer: { status: 418 } }] },
      [{ path: 'rules[1].answer.status', message: /does not declare 418/ }],
    ],
    [
      'mine',
      { rules: [{ on: '*', when: { query: { page: { matches: '(' } } } }] },
      [{ path: 'rules[0].when', message: /pattern/ }],
    ],
    [
      'mine',
      { rules: [{ on: '*', offContract: true, answer: { status: 200, headers: { Trailer: 'X-T' } } }] },
      [{ path: 'rules[0].answer.headers.Trailer', message: /'Trailer' is set by the server/ }],
    ],
    ['mine', { extends: ['nope'], rules }, [{ path: 'extends[0]', message: /There is no scenario 'nope'/ }]],
    ['mine', { extends: ['mine'], rules }, [{ path: 'extends[0]', message: /circle/ }]],
    ['mine', { rules, activ: true }, [{ path: 'activ', message: /Did you mean 'active'/ }]],
    ['verifyDocument:404', { rules }, /is the name of an outcome/],
    ['gateway:503', { rules }, /is the name of an outcome/],
    ['a%2Fb', { rules }, /is not a valid scenario name/],
    ['x'.repeat(101), { rules }, /is not a valid scenario name/],
    ['mine', 'rules: [', /mine\.yaml:1:\d+/],
    ['mine', { description: 'No rules.' }, [{ path: '', message: /'rules' is missing/ }]],
    ['a%E2%80%AEb', { rules }, /is not a valid scenario name/],
    ['mine', 'rules:\n  - on: verifyDocument\n    answer: { status: 418 }\n', /mine\.yaml:3:23: verifyDocument /],
  ]
  for (const [name, definition, wanted] of refusals) {
    const response = await admin(server, 'PUT', `scenarios/${name}`, definition)
    t.equal(response.statusCode, 400, `${JSON.stringify(definition).slice(0, 60)} is refused`)
    if (wanted instanceof RegExp) t.match(response.json().detail, wanted)
    else t.match(response.json().complaints, wanted)
  }
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

t.test('in process', async (t) => {
  const mock = await startMockServer({ port: 0 })
  t.teardown(() => mock.close())
  const worker = mock.sandbox('worker')
  await worker.scenarios.define('mine', { rules: [{ on: 'verifyDocument', answer: { status: 404 } }] })
  t.same(worker.scenarios.active(), [], 'it is not on')
  worker.scenarios.activate('mine')
  const { path } = verifyDocument
  const call = () =>
    fetch(`${worker.url}${path}`, { method: 'POST', headers: { authorization: `Bearer ${mock.token}` } })
  t.equal((await call()).status, 404, 'until it is switched on')
  await t.rejects(
    worker.scenarios.define('bad', { rules: [{ on: 'verifyDocument', answer: { status: 418 } }] }),
    { name: 'InvalidFiles', message: /bad: rules\[0\]\.answer\.status: verifyDocument does not declare 418/ },
    'a mistake is told with its path',
  )
  await t.rejects(worker.scenarios.define('none', undefined as never), { message: /must be an object/ })
  worker.scenarios.remove('mine')
  t.equal((await call()).status, 400, 'and is gone when it is removed')
  t.throws(() => worker.scenarios.remove('mine'), { name: 'InvalidOption' })
})
