import { join } from 'node:path'
import t from 'tap'
import { uploadSignature } from '../../schemas/index.js'
import { startMockServer } from '../../src/server/start-mock-server.js'
import { readFixtures } from '../../src/world/state/fixtures.js'
import { folder } from '../binary.js'
import { build, send } from '../helper.js'
import { organization as organizationOf, user as userOf } from './stored.js'

const organization = organizationOf(900)
const user = userOf('token-mine', 900)

/** One whose token another user has. */
const taken = userOf('token-admin')

t.test('a patch puts whole records over those that are there, by their keys', async (t) => {
  const server = await build(t)
  const { app, worlds } = server
  const before = worlds.root.state.export()
  const [first, ...others] = before.organizations ?? []
  const renamed = { ...first, name: 'Renamed' }
  const payload = { organizations: [organization, renamed], users: [user] }
  const response = await app.inject({ method: 'PATCH', url: '/__admin/state', payload })
  const after = worlds.root.state.export()
  t.same([response.statusCode, response.json()], [200, JSON.parse(JSON.stringify(after))], 'the answer is the state')
  t.same(after.organizations, [renamed, ...others, organization])
  t.same(after.users, [...(before.users ?? []), user], 'what is new comes last')
  t.same(after.projects, before.projects, 'all else is as it was')
  const mine = await send(server, uploadSignature, { headers: { authorization: 'Bearer token-mine' } })
  t.equal(mine.statusCode, 200, 'the new user may call')
  const worker = await app.inject('/~worker/__admin/state?collection=users')
  t.same(worker.json(), { version: 1, users: before.users }, 'other worlds are as they were')
})

t.test('a patch that does not fit changes nothing, and tells why', async (t) => {
  const { app, worlds } = await build(t)
  const before = JSON.stringify(worlds.root.state.export())
  const refusals: readonly (readonly [object, object])[] = [
    [{ users: [user] }, { path: 'users[0].organization_id', message: /refers to a record that does not exist/ }],
    [{ organizations: [organization, organization] }, { path: 'organizations[1].id', message: /must be unique/ }],
    [{ organizations: [{ ...organization, id: 'x' }] }, { path: 'organizations[0].id', message: /not 'x'/ }],
    [{ organisations: [] }, { path: 'organisations', message: /Did you mean 'organizations'/ }],
    [{ extends: 'default' }, { path: 'extends', message: /leave it out/ }],
    [[], { path: '', message: /must be an object/ }],
    [{ users: [taken] }, { path: 'users[0].token', message: /must be unique/ }],
  ]
  for (const [payload, complaint] of refusals) {
    const response = await app.inject({ method: 'PATCH', url: '/__admin/state', payload })
    t.match([response.statusCode, response.json().complaints], [400, [complaint]], JSON.stringify(payload).slice(0, 60))
  }
  t.equal(JSON.stringify(worlds.root.state.export()), before, 'nothing has changed')
})

t.test('counts and single collections can be asked for', async (t) => {
  const { app, worlds } = await build(t)
  const all = worlds.root.state.export() as Record<string, readonly unknown[]>
  const { counts } = (await app.inject('/__admin/state?counts')).json()
  for (const [name, count] of Object.entries(counts)) t.equal(count, all[name]?.length, name)
  t.equal(Object.keys(counts).length, 12, 'each collection is counted')
  t.match((await app.inject('/__admin/state?collection=user')).json(), { detail: /Did you mean 'users'/ })
})

t.test('fixtures extend the default world, or others', async (t) => {
  const defaults = await readFixtures('fixtures')
  const [first, ...others] = defaults.organizations ?? []
  const renamed = { ...first, name: 'Renamed' }
  const place = t.testdir({
    'base.json': JSON.stringify({ extends: 'default', organizations: [organization] }),
    'mine.yaml': `extends: ./base.json\norganizations:\n  - ${JSON.stringify(renamed)}\n`,
    folder: { 'users.json': JSON.stringify([user]), 'base.json': '{ "extends": "../base.json" }' },
    'a.json': '{ "extends": "b.json" }',
    'b.json': '{ "extends": "./a.json" }',
    'own.json': '{ "extends": "own.json" }',
    'nowhere.json': '{ "extends": "missing.json" }',
    'clash.json': JSON.stringify({ extends: 'default', users: [taken] }),
  })
  const read = (name: string) => readFixtures(join(place, name))
  const mine = await read('mine.yaml')
  t.same(mine.organizations, [renamed, ...others, organization])
  t.same(mine.users, defaults.users, 'what is not named is as it was')
  t.same((await read('folder')).users?.at(-1), user, 'a folder extends by any of its files')
  for (const [name, message] of [
    ['a.json', /b\.json:1:\d+: 'extends' forms a circle/],
    ['own.json', /own\.json:1:\d+: 'extends' forms a circle/],
    ['nowhere.json', /nowhere\.json:1:14: 'extends' names 'missing\.json', which does not exist/],
    ['clash.json', /clash\.json:1:\d+: users has another record with the token 'token-admin'/],
  ] as const)
    await t.rejects(read(name), { message }, name)
  const both = folder(t, { 'projects.json': '{', 'users.json': '[{}]' })
  await t.rejects(readFixtures(both), { message: /projects\.json:1:2[\s\S]*users\.json:1:\d+: '0\.uuid' is missing/ })
  const mock = await startMockServer({ port: 0, fixtures: { extends: 'default', organizations: [organization] } })
  t.teardown(() => mock.close())
  t.same(mock.state.get().organizations?.at(-1), organization, 'in process as well')
  await t.rejects(mock.state.set({ extends: place } as never), { message: /'extends' must be 'default' here/ })
})
