import { join } from 'node:path'
import t from 'tap'
import type { CollectionName } from '../../schemas/fixtures.js'
import { addOrganizationMember, createSigningLink, uploadSignature } from '../../schemas/index.js'
import { folder } from '../binary.js'
import { build, send } from '../helper.js'
import { organization, user } from './stored.js'

/** Where records point to. */
const REFERENCES: readonly (readonly [from: CollectionName, field: string, to: CollectionName])[] = [
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

t.test('a record that points nowhere is refused, whatever it is of', async (t) => {
  const server = await build(t)
  for (const contract of [uploadSignature, addOrganizationMember, createSigningLink]) await send(server, contract)
  const { state } = server.worlds.root
  const before = JSON.stringify(state.export())
  for (const [from, field, to] of REFERENCES) {
    const payload = JSON.parse(before)
    payload[from][0][field] = field.endsWith('_id') ? 4_711 : '00000000-0000-4000-8000-000000000000'
    const answer = await server.app.inject({ method: 'PUT', url: '/__admin/state', payload })
    const detail = `'${field}' refers to a record that does not exist: no record of ${to} has the `
    t.match(answer.json(), { status: 400, detail }, `${field} of ${from}`)
  }
  t.equal(JSON.stringify(state.export()), before, 'nothing was stored')
})

t.test('a state file in which a record points nowhere stops the start, with its place', async (t) => {
  const lost = { message: /state\.json:1:\d+: 'organization_id' refers to a record [\s\S]*left as it is/ }
  const users = [user('token-mine', 900)]
  for (const content of [{ users }, { extends: 'default', users }]) {
    const persist = join(folder(t, { 'state.json': JSON.stringify(content) }), 'state.json')
    await t.rejects(build(t, { persist }), lost, Object.keys(content).join(' and '))
  }
  for (const content of [{ organizations: [organization(900)], users }, { users: [user('token-mine', 1)] }]) {
    const persist = join(folder(t, { 'state.json': JSON.stringify({ extends: 'default', ...content }) }), 'state.json')
    t.ok(await build(t, { persist }), 'it may point to the file itself, and to the fixtures')
  }
})
