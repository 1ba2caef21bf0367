import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { addOrganizationMember, createSigningLink } from '../../schemas/index.js'
import { folder } from '../binary.js'
import { build, send } from '../helper.js'
import { organization, written } from './stored.js'

/** A server with an invitation and a signing link, and where everything that shows them is. */
async function withRecords(t: Test) {
  const persist = join(folder(t), 'state.json')
  const server = await build(t, { persist, acceptance: { after: 3_600_000 }, clock: '2026-01-15T09:30:00Z' })
  await send(server, addOrganizationMember)
  await send(server, createSigningLink)
  const { state } = server.worlds.root
  const invitation = state
    .collection('invitations')
    .all()
    .find((one) => one.accepts_at !== undefined)!
  const link = [...state.collection('signing_links').all()].at(-1)!
  return { persist, server, invitation, link }
}

type Records = Awaited<ReturnType<typeof withRecords>>
type UrlOf = (records: Records) => string

/** What shows an invitation. */
const looks: Readonly<Record<string, UrlOf>> = {
  'GET state': () => '/__admin/state',
  'GET invitations': () => '/__admin/invitations',
  'the page of an invitation': ({ invitation }) => `/invitations/${invitation.id}`,
}

for (const [label, urlOf] of Object.entries(looks)) {
  t.test(`${label} stores what it shows as accepted`, async (t) => {
    const records = await withRecords(t)
    const { app } = records.server
    await app.inject({ method: 'PUT', url: '/__admin/clock', payload: { advance: 7_200_000 } })
    const statusInFile = async () => (await written(records.persist)).invitations?.at(-1)?.status
    t.equal(await statusInFile(), 'pending', 'it is not stored at first')
    t.match((await app.inject(urlOf(records))).payload, /"accepted"|Accepted/, 'it is shown')
    t.equal(await statusInFile(), 'accepted', 'and stored')
  })
}

function accept({ server, invitation }: Records): void {
  server.worlds.root.state.collection('invitations').put({ ...invitation, first_name: 'Changed', status: 'accepted' })
}

function sign({ server, link }: Records): void {
  server.worlds.root.state.collection('signing_links').put({ ...link, signed_at: '2026-01-15T09:30:00.000Z' })
}

/** A change that is made and not yet stored, what might show it, and how that looks. */
const changes: readonly (readonly [label: string, change: (records: Records) => void, UrlOf, mark: RegExp])[] = [
  ...Object.entries(looks).map(([label, urlOf]) => [label, accept, urlOf, /Changed/] as const),
  ['the page of a signing link', sign, ({ link }) => `/sign/${link.id}`, /Signed at/],
]

/** Has a change come as the last write ends: the next one may fail, and undo it. */
function whenSaved({ server }: Records, change: () => void): void {
  const { state } = server.worlds.root
  const save = state.save.bind(state)
  state.save = () => save().then(change)
}

async function withoutDisk<T>(persist: string, run: () => Promise<T>): Promise<T> {
  await rename(persist, `${persist}.away`)
  await writeFile(persist, 'not ours')
  const result = await run()
  await rm(persist)
  await rename(`${persist}.away`, persist)
  return result
}

for (const [label, change, urlOf, mark] of changes) {
  t.test(`${label} does not show what cannot be stored`, async (t) => {
    const records = await withRecords(t)
    const { persist, server } = records
    change(records)
    const answer = await withoutDisk(persist, () => server.app.inject(urlOf(records)))
    t.equal(answer.statusCode, 507, 'it says that it could not be stored')
    t.notMatch((await server.app.inject(urlOf(records))).payload, mark, 'and then shows what is')
    change(records)
    t.match((await server.app.inject(urlOf(records))).payload, mark, 'once it can be stored it is shown')
  })

  t.test(`${label} does not show what came while it waited`, async (t) => {
    const records = await withRecords(t)
    whenSaved(records, () => change(records))
    const { payload, statusCode } = await records.server.app.inject(urlOf(records))
    t.equal(statusCode, 200, 'it is answered')
    t.notMatch(payload, mark, 'what is shown was stored before')
  })
}

const pressed: readonly (readonly [label: string, change: (records: Records) => void, UrlOf, status: number])[] = [
  ['an invitation', accept, ({ invitation }) => `/__admin/invitations/${invitation.id}/accept`, 409],
  ['a signing link', sign, ({ link }) => `/sign/${link.id}/sign`, 303],
]

for (const [label, change, urlOf, status] of pressed) {
  t.test(`a second answer to ${label} waits for what the first one did`, async (t) => {
    const records = await withRecords(t)
    const { persist, server } = records
    const press = async () => (await server.app.inject({ method: 'POST', url: urlOf(records) })).statusCode
    change(records)
    t.equal(await withoutDisk(persist, press), 507, 'it is refused with the first')
    change(records)
    t.equal(await press(), status, 'once that is stored it is answered')
    t.match(await readFile(persist, 'utf8'), /"accepted"|"signed_at"/, 'what it rests on is in the file')
  })
}

t.test('PUT state shows what was put, and no more', async (t) => {
  const records = await withRecords(t)
  const { app, worlds } = records.server
  whenSaved(records, () => worlds.root.state.collection('organizations').put(organization(99)))
  const put = await app.inject({ method: 'PUT', url: '/__admin/state', payload: { organizations: [] } })
  t.strictSame(put.json().organizations, [], 'what came while it was stored is not in the answer')
})
