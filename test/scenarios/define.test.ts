import type { InjectOptions } from 'fastify'
import t from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import type { Server } from '../../src/server/create-server.js'
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
  /** Complaints by the path that each is about. */
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
