import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  updateSubOrganizationMember,
} from '../../schemas/index.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { build, requestOf, send } from '../helper.js'

const CLI = new URL('../../dist/cli.js', import.meta.url).pathname

/** A file that does not exist yet, in a folder of its own. */
function place(t: Test): string {
  return join(folder(t), 'state.json')
}

t.test('what was changed is there after a restart, and only that is in the file', async (t) => {
  const persist = place(t)
  const first = await build(t, { persist })
  await send(first, updateSubOrganizationMember, {
    form: { first_name: 'Kept', last_name: undefined, role: undefined },
  })
  await send(first, addOrganizationMember)
  await first.close()
  t.strictSame(
    Object.keys(JSON.parse(await readFile(persist, 'utf8'))).sort(),
    ['counters', 'extends', 'invitations', 'sub_organization_members', 'version'],
    'only the changed collections are in the file',
  )
  const second = await build(t, { persist })
  const members = second.worlds.root.state.collection('sub_organization_members')
  t.equal(members.get('6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60/101')?.first_name, 'Kept', 'the changed name is there')
  t.equal(second.worlds.root.state.next('mail'), 2, 'counters go on, so ids stay unique')
})

t.test('a state that was put is kept, and reset empties the file', async (t) => {
  const persist = place(t)
  const first = await build(t, { persist })
  await first.app.inject({ method: 'PUT', url: '/__admin/state', payload: { organizations: [] } })
  await first.close()
  const second = await build(t, { persist })
  t.strictSame(second.worlds.root.state.export().users, [], 'the state that was put has no users')
  await second.app.inject({ method: 'POST', url: '/__admin/reset' })
  await second.close()
  const third = await build(t, { persist })
  t.not(third.worlds.root.state.export().users?.length, 0, 'after a reset and a restart the seeded users are there')
  await third.close()
  t.same(JSON.parse(await readFile(persist, 'utf8')), { version: 1, extends: 'default' }, 'no put state is in the file')
})

t.test(
  'the file is served with --fixtures, can be edited while the server is stopped, and passes validate',
  async (t) => {
    const persist = place(t)
    const first = await build(t, { persist })
    await send(first, updateSubOrganizationMember, { form: { first_name: 'Kept' } })
    await send(first, addOrganizationMember)
    await send(first, createSigningLink)
    const before = first.worlds.root.state.export()
    await first.close()
    const served = await build(t, { fixtures: persist })
    t.strictSame(served.worlds.root.state.export(), before, 'served as fixtures it gives the same state')
    t.equal(served.worlds.root.state.next('mail'), 2, 'and goes on with the counters')
    t.match(await run(t, ['validate', '--fixtures', persist]), { code: 0 }, 'validate accepts it')
    const text = await readFile(persist, 'utf8')
    await writeFile(persist, text.replace('"first_name": "Kept"', '"first_name": "By hand"'))
    const edited = await build(t, { persist })
    const { payload } = await edited.app.inject('/__admin/state?collection=sub_organization_members')
    t.match(payload, /"By hand"/, 'what was edited is answered')
    await edited.close()
    const [, record] = /("first_name": "By hand",)/.exec(await readFile(persist, 'utf8')) ?? []
    await writeFile(persist, (await readFile(persist, 'utf8')).replace(String(record), '"first_nam": "By hand",'))
    await t.rejects(build(t, { persist }), { message: /state\.json:\d+:\d+: .*'first_name'/ }, 'its place')
  },
)

t.test('other fixtures than before are told of, and those with the state among them are refused', async (t) => {
  const home = folder(t, { 'mine.json': '{ "extends": "default" }' })
  const persist = join(home, 'state.json')
  const first = await build(t, { persist })
  await send(first, addOrganizationMember)
  await first.close()
  const told: string[] = []
  const moved = { persist, fixtures: join(home, 'mine.json') }
  const second = await build(t, moved, { notify: (text) => told.push(text) })
  t.match(told, [/^The state file extends default, but the server has other fixtures/], 'the change is told')
  await send(second, createSigningLink)
  await second.close()
  t.equal(JSON.parse(await readFile(persist, 'utf8')).extends, './mine.json', 'the file names what it lies over now')
  for (const fixtures of [persist, home]) {
    const refused = { message: /is one of the fixtures that it extends/ }
    await t.rejects(build(t, { persist, fixtures }), refused, fixtures === home ? 'a folder' : 'the file itself')
  }
})

t.test('a put state extends nothing, and one that is amended extends the fixtures', async (t) => {
  const persist = place(t)
  const server = await build(t, { persist })
  const organization = { id: 900, uuid: '0d5b8f3e-7a61-4c29-9e84-2f1a6c7b3d95', name: 'Mine' }
  const file = async () => JSON.parse(await readFile(persist, 'utf8'))
  await server.app.inject({ method: 'PATCH', url: '/__admin/state', payload: { organizations: [organization] } })
  t.same(await file(), { version: 1, extends: 'default', organizations: [organization] }, 'a patch alone')
  await server.app.inject({ method: 'PUT', url: '/__admin/state', payload: { organizations: [organization] } })
  t.same(await file(), { version: 1, organizations: [organization] }, 'a state that was put is all there is')
})

/** Whether an invitation is none of the fixtures'. */
function isNew({ created_at }: { readonly created_at: string }): boolean {
  return created_at > '2026-01-13'
}

t.test('sandboxes are neither stored nor touched by what is', async (t) => {
  const persist = place(t)
  const server = await build(t, { persist })
  await send(server, addOrganizationMember, { sandbox: 'a' })
  t.notOk(existsSync(persist), 'a sandbox writes nothing')
  await writeFile(persist, 'not ours')
  t.equal((await send(server, addOrganizationMember)).statusCode, 507, 'while the root cannot store')
  t.equal((await send(server, createSigningLink, { sandbox: 'a' })).statusCode, 200, 'a sandbox goes on')
  const { invitations } = (await server.app.inject('/~a/__admin/invitations')).json()
  t.equal(invitations.filter(isNew).length, 1, 'and keeps what it has')
})

t.test('a full disk undoes the mail with its invitation, and no id comes twice', async (t) => {
  const persist = place(t)
  const server = await build(t, { persist })
  const invited = async () => {
    const { statusCode } = await send(server, addOrganizationMember)
    const { messages } = (await server.app.inject('/__admin/outbox')).json()
    const { invitations } = (await server.app.inject('/__admin/invitations')).json()
    return { statusCode, mails: messages.length, ids: invitations.filter(isNew).map(({ id }: { id: string }) => id) }
  }
  await writeFile(persist, 'not ours')
  t.strictSame(await invited(), { statusCode: 507, mails: 0, ids: [] }, 'neither is there')
  await rm(persist)
  const { statusCode, mails, ids } = await invited()
  t.strictSame([statusCode, mails, ids.length], [200, 1, 1], 'both are there once it can be stored')
  const fresh = await build(t)
  await send(fresh, addOrganizationMember)
  const first = [...fresh.worlds.root.state.collection('invitations').all()].filter(isNew).map(({ id }) => id)
  t.notSame(ids, first, 'under another id than the one that was undone')
})

t.test('a damaged or foreign file stops the start, and is left alone', async (t) => {
  const cases = [
    ['a file that breaks off', '{"kind":', /cannot be used/],
    ['a list', '[]', /must be an object, not a list/],
    ['a file of another format', '{"rules":[]}', /The key 'rules' is unknown/],
    ['a file of a later version', '{"version":9}', /'version' must be 1/],
    ['a file with an invalid record', '{"users":[{"uuid":1}]}', /users/],
  ] as const
  for (const [label, text, reason] of cases) {
    const persist = place(t)
    await writeFile(persist, text)
    await t.rejects(build(t, { persist }), { message: reason }, `${label} stops the start`)
    t.equal(await readFile(persist, 'utf8'), text, `${label} is left alone`)
    await writeFile(persist, '')
    await rm(persist)
    await t.resolves(build(t, { persist }), `${label} leaves no lock behind`)
  }
})

t.test('a second server on the file is refused; a lock left by a dead process is no trap', async (t) => {
  const persist = place(t)
  const first = await build(t, { persist })
  await t.rejects(build(t, { persist }), { message: /in use by the process \d+/ }, 'a second server is refused')
  await first.close()
  await mkdir(`${persist}.lock`)
  await writeFile(
    join(`${persist}.lock`, 'holder.json'),
    JSON.stringify({ pid: process.pid, token: 'of an earlier one' }),
  )
  await t.resolves(build(t, { persist }), 'as in a container that was started again')
})

t.test('a change that cannot be stored is a problem, is undone, and nothing stored is lost', async (t) => {
  const persist = place(t)
  const server = await build(t, { persist })
  await send(server, addOrganizationMember, { form: { 'data[0][email]': 'first@example.test' } })
  const home = join(persist, '..')
  await rename(home, `${home}-away`)
  await writeFile(home, 'no folder')
  const failed = await send(server, addOrganizationMember, { form: { 'data[0][email]': 'second@example.test' } })
  t.equal(failed.statusCode, 507, 'the change is answered with 507')
  t.equal(failed.headers['x-mock-error'], 'storage-failed', 'a header names the problem')
  t.match(failed.json().detail, /undone/, 'the answer says that the change is undone')
  const emails = () => Array.from(server.worlds.root.state.collection('invitations').all(), ({ email }) => email)
  t.notOk(emails().includes('second@example.test'), 'the change is undone')
  await rm(home)
  await rename(`${home}-away`, home)
  t.match(await readFile(persist, 'utf8'), /first@example.test/, 'what was stored before is still in the file')
  t.equal(
    (await send(server, addOrganizationMember, { form: { 'data[0][email]': 'second@example.test' } })).statusCode,
    200,
    'the same change succeeds once it can be stored',
  )
  t.match(await readFile(persist, 'utf8'), /second@example.test/, 'the change is in the file')
})

t.test('a reset that cannot be stored has left everything as it was', async (t) => {
  const persist = place(t)
  const server = await build(t, { persist })
  const { app } = server
  await send(server, addOrganizationMember)
  await send(server, listCreditHistories)
  await app.inject({ method: 'PUT', url: '/__admin/clock', payload: { now: '2030-01-01T00:00:00Z', frozen: true } })
  await app.inject({ method: 'PUT', url: '/__admin/scenarios/empty-account', payload: { active: true } })
  await app.inject('/~a/api/v2/nothing')
  const everything = async () => {
    const urls = ['requests', 'coverage', 'outbox', 'invitations', 'scenarios', 'clock', 'state', 'sandboxes']
    return Promise.all(urls.map(async (url) => (await app.inject(`/__admin/${url}`)).json()))
  }
  const before = await everything()
  await rename(persist, `${persist}.away`)
  await writeFile(persist, 'not ours')
  const [reset, late] = await Promise.all([
    app.inject({ method: 'POST', url: '/__admin/reset' }),
    app.inject({ method: 'POST', url: '/__admin/reset' }),
  ])
  t.strictSame([reset.statusCode, late.statusCode], [507, 507], 'it is answered with 507')
  t.strictSame(await everything(), before, 'nothing has changed, the journal included')
  await rm(persist)
  t.equal((await app.inject({ method: 'POST', url: '/__admin/reset' })).statusCode, 200, 'it can be sent again')
  t.equal((await app.inject('/__admin/requests')).json().meta.total, 0, 'and then the journal is empty')
  await send(server, listCreditHistories)
  t.equal((await app.inject('/__admin/requests')).json().requests[0].id, 'x1', 'and begins anew')
})

t.test('an answered write survives kill -9', { timeout: 60_000 }, async (t) => {
  const persist = place(t)
  const { payload, headers, url: path } = requestOf(addOrganizationMember)
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [CLI, '--port', '0', '--no-watch', '--persist', persist], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk) => resolve(/http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0] ?? ''))
    })
    const answered: string[] = []
    let killed = false
    const worker = async (name: string) => {
      for (let nth = 0; !killed; nth++) {
        const email = `${name}.${nth}@example.test`
        const body = String(payload).replace(/[^\r\n]+@example\.test/, email)
        const response = await fetch(url + path, {
          method: 'POST',
          headers: headers as Record<string, string>,
          body,
        }).catch(() => undefined)
        if (response?.status === 200) answered.push(email)
      }
    }
    const workers = ['a', 'b', 'c'].map((one) => worker(`r${round}${one}`))
    while (answered.length < 20) await new Promise((resolve) => setTimeout(resolve, 10))
    child.kill('SIGKILL')
    killed = true
    await Promise.all(workers)
    const text = await readFile(persist, 'utf8')
    t.ok(answered.length > 0, `round ${round}: some writes are answered before the kill`)
    const lost = answered.filter((email) => !text.includes(`"${email}"`))
    t.strictSame(lost, [], `round ${round}: nothing is lost`)
  }
})

t.test('a folder that does not exist is reported at the start', async (t) => {
  await t.rejects(build(t, { persist: join(place(t), 'no', 'state.json') }), { message: /--persist/ }, 'no folder')
  const other = place(t)
  await mkdir(other)
  await t.rejects(build(t, { persist: other }), { message: /it is a folder/ }, 'a folder in its place')
})
