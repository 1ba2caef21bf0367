import { join } from 'node:path'
import t from 'tap'
import { addOrganizationMember, createSigningLink, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { startMockServer } from '../../src/index.js'
import { folder } from '../binary.js'
import { adminOf, build, organization as organizationOf, send, user as userOf } from '../helper.js'

const organization = organizationOf(900)
const twin = { ...organization, id: 901, uuid: organization.uuid.toUpperCase() }
const user = userOf('token-mine', 900)
const taken = userOf('token-admin')

t.test('a patch replaces fields of the record with the same key, and adds new records', async (t) => {
  const server = await build(t)
  const { app } = server
  const before = await adminOf(server).state()
  const [first, ...others] = before.organizations ?? []
  const renamed = { ...first, name: 'Renamed' }
  const payload = { organizations: [organization, { id: first?.id, name: 'Renamed' }], users: [user] }
  const response = await app.inject({ method: 'PATCH', url: '/__admin/state', payload })
  const after = await adminOf(server).state()
  t.same([response.statusCode, response.json()], [200, JSON.parse(JSON.stringify(after))], 'the answer is the state')
  t.same(after.organizations, [renamed, ...others, organization])
  t.same(after.users, [...(before.users ?? []), user], 'a new record comes last')
  t.same(after.projects, before.projects, 'the rest is unchanged')
  const mine = await send(server, uploadSignature, { headers: { authorization: 'Bearer token-mine' } })
  t.equal(mine.statusCode, 200, 'the new user can call')
  const worker = await app.inject('/~worker/__admin/state?collection=users')
  t.same(worker.json(), { version: 1, users: before.users }, 'other sandboxes are unchanged')
})

t.test('a file that an editor saved with a byte order mark can be sent as it is', async (t) => {
  const server = await build(t)
  const payload = '\ufeff{ "organizations": [] }'
  t.equal((await server.app.inject({ method: 'PUT', url: '/__admin/state', payload })).statusCode, 200)
})

t.test('null removes an optional field; fields that a patch omits stay', async (t) => {
  const server = await build(t)
  await send(server, uploadSignature)
  const { call, state } = adminOf(server)
  const { image, ...signature } = (await state()).signatures[0]!
  t.match(image, /^data:image/)
  await call('PATCH', 'state', { signatures: [{ id: signature.id, filename: 'other.png' }] })
  t.same((await state()).signatures, [{ ...signature, filename: 'other.png', image }])
  await call('PATCH', 'state', { signatures: [{ id: signature.id, image: null }] })
  t.same((await state()).signatures, [{ ...signature, filename: 'other.png' }])
})

t.test('a list follows changes, additions and removals of records', async (t) => {
  const server = await build(t)
  const { call, state } = adminOf(server)
  const listed = async (): Promise<{ id: string }[]> =>
    (await send(server, listCreditHistories, { query: { per_page: 100, user_type: undefined } })).json().histories
  const before = await listed()
  const mistaken = await send(server, listCreditHistories, { query: { user_type: 'undefined' } })
  t.equal(mistaken.json().total, 0, 'another query has another list')
  const first = { ...(await state()).credit_histories[0]!, amount: 4_711 }
  const added = { ...first, id: '00000000-0000-4000-8000-000000000000' }
  await call('PATCH', 'state', { credit_histories: [first, added] })
  const patched = (await listed()).filter(({ id }) => [first.id, added.id].includes(id))
  t.match(patched, [{ amount: 4_711 }, { amount: 4_711 }])
  await call('DELETE', `state/credit_histories/${added.id}`)
  t.equal((await listed()).length, before.length)
})

t.test('an invalid patch changes nothing, and the answer has the reason', async (t) => {
  const server = await build(t)
  const before = await adminOf(server).state()
  const invalidPatches: readonly (readonly [object, object])[] = [
    [{ organizations: [organization, twin] }, { path: 'organizations[1].uuid', message: /must be unique/ }],
    [{ users: [taken] }, { path: 'users[0].token', message: /must be unique/ }],
    [{ organizations: [{ name: 'Renamed' }] }, { path: 'organizations[0].id', message: /is missing/ }],
    [{ organizations: [{ id: 1, name: null }] }, { path: 'organizations[0].name', message: /is missing/ }],
    [
      { organizations: [{ id: 1, title: null }] },
      { path: 'organizations[0].title', message: /The key 'title' is unknown/ },
    ],
    [{ without: ['users'] }, { path: 'extends', message: /remove 'extends'/ }],
    [[], { path: '', message: /must be an object/ }],
  ]
  for (const [payload, complaint] of invalidPatches) {
    const response = await adminOf(server).call('PATCH', 'state', payload)
    t.match([response.statusCode, response.json().complaints], [400, [complaint]], JSON.stringify(payload).slice(0, 60))
  }
  t.strictSame(await adminOf(server).state(), before, 'nothing has changed')
})

t.test('fixtures can extend the default fixtures, or others', async (t) => {
  const defaults = await adminOf(await build(t)).state()
  const [first, ...others] = defaults.organizations
  const renamed = { ...first, name: 'Renamed' }
  const directory = t.testdir({
    'base.json': JSON.stringify({ extends: 'default', organizations: [organization] }),
    'mine.yaml': `extends: ./base.json\norganizations:\n  - ${JSON.stringify(renamed)}\n`,
    folder: { 'users.json': JSON.stringify([user]), 'base.json': '{ "extends": "../base.json" }' },
    'clash.json': JSON.stringify({ extends: 'default', users: [taken] }),
  })
  const read = async (name: string) => adminOf(await build(t, { fixtures: join(directory, name) })).state()
  const mine = await read('mine.yaml')
  t.same(mine.organizations, [renamed, ...others, organization])
  t.same(mine.users, defaults.users, 'an omitted collection is unchanged')
  t.same((await read('folder')).users?.at(-1), user, 'any file of a folder can have extends')
  await t.rejects(read('clash.json'), { message: /clash\.json:1:\d+: users has another record with the token/ })
  const both = folder(t, { 'projects.json': '{', 'users.json': '[{}]' })
  await t.rejects(build(t, { fixtures: both }), {
    message: /projects\.json:1:2[\s\S]*users\.json:1:\d+: 'users\.0\.uuid' is missing/,
  })
  await using mock = await startMockServer({ port: 0, fixtures: { extends: 'default', organizations: [organization] } })
  t.same((await mock.state.get()).organizations?.at(-1), organization, 'also in process')
  await t.rejects(mock.state.set({ extends: directory } as never), { message: /'extends' must be 'default' or absent/ })
})

t.test('a record that others refer to cannot be deleted, and the answer lists them', async (t) => {
  const server = await build(t)
  const before = await adminOf(server).state()
  for (const [record, listed] of [
    ['organizations/1', /users\/3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31, .* and \d+ more/],
    ['sub_organizations/6D9B7A52-41C3-4E0F-8A75-1C2E3D4F5A60', /^sub_organization_members\/6d9b7a52-.*\/101/],
    ['projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11', /^attachments\/1/],
  ] as const) {
    const answer = await adminOf(server).call('DELETE', `state/${record}`)
    t.match(answer.json(), { status: 409, detail: listed }, record)
  }
  t.strictSame(await adminOf(server).state(), before)
  await adminOf(server).call('PATCH', 'state', { organizations: [organization], users: [user] })
  const { detail } = (await adminOf(server).call('DELETE', 'state/organizations/900')).json()
  t.match(detail, `users/${user.uuid} refer to organizations/900.`, 'a single reference')
  await adminOf(server).call('DELETE', 'state/attachments/29')
  const three = await adminOf(server).call('DELETE', 'state/projects/58b2d7f4-1e93-4c60-a5d8-3f9b6c0e7a12')
  t.match(three.json().detail, /^attachments\/26, attachments\/27, attachments\/28 refer to /, 'three references')
})

const REFERENCES: readonly (readonly [from: string, field: string, to: string])[] = [
  ['users', 'organization_id', 'organizations'],
  ['organization_members', 'organization_id', 'organizations'],
  ['sub_organizations', 'organization_id', 'organizations'],
  ['sub_organization_members', 'sub_organization_uuid', 'sub_organizations'],
  ['projects', 'user_uuid', 'users'],
  ['attachments', 'project_uuid', 'projects'],
  ['documents', 'user_uuid', 'users'],
  ['credit_histories', 'organization_uuid', 'organizations'],
  ['invitations', 'organization_id', 'organizations'],
  ['invitations', 'invited_by', 'users'],
  ['signatures', 'user_uuid', 'users'],
  ['signing_links', 'project_uuid', 'projects'],
  ['signing_links', 'created_by', 'users'],
]

t.test('a new member gets a free id even if the id counter has its largest value', async (t) => {
  const server = await build(t)
  const patch = (counters: object) =>
    server.app.inject({ method: 'PATCH', url: '/__admin/state', payload: { counters } })
  t.equal((await patch({ 'organization member': 1e15 + 1 })).statusCode, 400, 'a larger value is invalid')
  await patch({ 'organization member': 1e15 })
  await send(server, addOrganizationMember)
  const { id } = { id: '', ...(await adminOf(server).state()).invitations?.at(-1) }
  await server.app.inject({ method: 'POST', url: `/__admin/invitations/${id}/accept` })
  t.match((await adminOf(server).state()).organization_members?.at(-1), { id: 1_000_001 })
})

t.test('a record that refers to a missing record is invalid, in every collection', async (t) => {
  const server = await build(t)
  for (const contract of [uploadSignature, addOrganizationMember, createSigningLink]) await send(server, contract)
  const before = JSON.stringify(await adminOf(server).state())
  for (const [from, field, to] of REFERENCES) {
    const payload = JSON.parse(before)
    payload[from][0][field] = field.endsWith('_id') ? 4_711 : '00000000-0000-4000-8000-000000000000'
    const answer = await server.app.inject({ method: 'PUT', url: '/__admin/state', payload })
    const detail = new RegExp(
      `'${field}' of ${from}/\\S+ refers to a record that does not exist: no record of ${to} has the `,
    )
    t.match(answer.json(), { status: 400, detail }, `${field} of ${from}`)
  }
  t.equal(JSON.stringify(await adminOf(server).state()), before, 'nothing is stored')
})

t.test('a dangling reference in a state file stops the start, and is reported', async (t) => {
  const dangling = { message: /state\.json:1:\d+: 'organization_id' of users\/\S+ refers to a record [\s\S]*unchanged/ }
  const users = [userOf('token-mine', 900)]
  for (const content of [{ users }, { extends: 'default', users }]) {
    const persist = join(folder(t, { 'state.json': JSON.stringify(content) }), 'state.json')
    await t.rejects(build(t, { persist }), dangling, Object.keys(content).join(' and '))
  }
  for (const content of [{ organizations: [organizationOf(900)], users }, { users: [userOf('token-mine', 1)] }]) {
    const persist = join(folder(t, { 'state.json': JSON.stringify({ extends: 'default', ...content }) }), 'state.json')
    t.ok(await build(t, { persist }), 'records may refer to the file and to the fixtures')
  }
})
