import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { addOrganizationMember, createSigningLink, updateSubOrganizationMember } from '../../schemas/index.js'
import type { Fixtures } from '../../schemas/plain.js'
import { folder, serve, until } from '../binary.js'
import { run } from '../command-line.js'
import { adminOf, answerOf, build, fetchUrl, organization, requestOf, type Server, send, user } from '../helper.js'

function stateFile(t: Test): string {
  return join(folder(t), 'state.json')
}

t.test('changes remain after a restart, and the file has every record', async (t) => {
  const persist = stateFile(t)
  const first = await build(t, { persist })
  const form = { first_name: `Kept ${'['.repeat(2_000)}`, last_name: undefined, role: undefined }
  await send(first, updateSubOrganizationMember, { form })
  await send(first, addOrganizationMember)
  await first.close()
  const { invitations = [], users = [], version } = await written(persist)
  t.match([version, invitations.at(-1)?.email, users.length > 0], [1, 'ada@example.test', true], 'every record')
  const second = await build(t, { persist })
  const { sub_organization_members: members, invitations: kept } = await adminOf(second).state()
  t.equal(members.find(({ id }) => id === 101)?.first_name, form.first_name, 'the changed name is there')
  await send(second, addOrganizationMember, { form: { 'data[0][email]': 'next@example.test' } })
  const next = (await adminOf(second).state()).invitations.at(-1)
  t.notOk(
    kept.some(({ id }) => id === next?.id),
    'counters go on, so ids stay unique',
  )
})

t.test('a state set by PUT is stored, and a reset restores the fixtures', async (t) => {
  const persist = stateFile(t)
  const first = await build(t, { persist })
  await first.app.inject({ method: 'PUT', url: '/__admin/state', payload: { organizations: [] } })
  await first.close()
  const second = await build(t, { persist })
  t.strictSame((await adminOf(second).state()).users, [], 'the replaced state has no users')
  await second.app.inject({ method: 'POST', url: '/__admin/reset' })
  t.ok((await written(persist)).users?.length, 'after a reset the file has the seeded users')
  await second.close()
  const third = await build(t, { persist })
  t.ok((await adminOf(third).state()).users?.length, 'so has the server after a restart')
})

t.test('a state file can be served with --fixtures, edited while the server is stopped, and validated', async (t) => {
  const persist = stateFile(t)
  const first = await build(t, { persist })
  await send(first, updateSubOrganizationMember, { form: { first_name: 'Kept' } })
  await send(first, addOrganizationMember)
  await send(first, createSigningLink)
  const before = await adminOf(first).state()
  await first.close()
  const served = await build(t, { fixtures: persist })
  t.strictSame(await adminOf(served).state(), before, 'as fixtures, it gives the same state')
  t.match(await run(t, ['validate', '--fixtures', persist]), { code: 0 }, 'validate accepts it')
  const text = await readFile(persist, 'utf8')
  await writeFile(persist, text.replace('"first_name": "Kept"', '"first_nam": "By hand"'))
  const mistaken = { message: /state\.json:\d+:\d+: .*'first_name'/ }
  await t.rejects(build(t, { persist }), mistaken, 'a mistake stops the start, and is reported')
  await writeFile(persist, text.replace('"first_name": "Kept"', '"first_name": "By hand"'))
  const edited = await build(t, { persist })
  const { payload } = await edited.app.inject('/__admin/state?collection=sub_organization_members')
  t.match(payload, /"By hand"/, 'the edited record is served, and no lock was left')
})

t.test('after a restart, an edit of the fixtures still updates unchanged records', async (t) => {
  const persist = stateFile(t)
  const fixtures = JSON.stringify({ organizations: [organization(1)], users: [user('token-mine')] })
  const cwd = folder(t, { 'fx.json': fixtures })
  const first = await build(t, { persist, fixtures: join(cwd, 'fx.json') })
  await adminOf(first).call('PATCH', 'state', { organizations: [organization(900)] })
  await first.close()
  const { url } = await serve(t, ['--persist', persist, '--fixtures', 'fx.json'], { cwd })
  const state = async () => (await fetchUrl(`${url}/__admin/state`)).body
  t.match((await state()).users, [{ first_name: 'Ada' }], 'as it was at first')
  await writeFile(join(cwd, 'fx.json'), fixtures.replace('Ada', 'Edited'))
  await until(async () => (await state()).users[0].first_name === 'Edited')
  t.match((await state()).organizations, [{ id: 1 }, { id: 900 }], 'the changed record stays')
})

async function written(path: string): Promise<Fixtures> {
  return JSON.parse(await readFile(path, 'utf8'))
}

async function newInvitations({ app }: Server, sandbox = ''): Promise<{ id: string; email: string }[]> {
  const { invitations } = (await app.inject(`${sandbox}/__admin/invitations`)).json()
  return invitations.filter(({ created_at }: { created_at: string }) => created_at > '2026-01-13')
}

t.test('sandboxes are not stored, and work even if the root cannot be stored', async (t) => {
  const persist = stateFile(t)
  const server = await build(t, { persist })
  await send(server, addOrganizationMember, { sandbox: 'a' })
  t.notOk(existsSync(persist), 'a sandbox writes nothing')
  await writeFile(persist, 'not ours')
  t.equal((await send(server, addOrganizationMember)).statusCode, 507, 'the root cannot be stored')
  const payload = { organizations: [organization(900)] }
  for (const method of ['PUT', 'PATCH'] as const)
    t.match(await server.app.inject({ method, url: '/__admin/state', payload }), { statusCode: 507 }, method)
  t.equal((await send(server, createSigningLink, { sandbox: 'a' })).statusCode, 200, 'a sandbox still works')
  t.equal((await newInvitations(server, '/~a')).length, 1, 'it keeps its state')
})

t.test('an edit of the file during a write is not overwritten, and a link beside it is not followed', async (t) => {
  const persist = stateFile(t)
  const server = await build(t, { persist })
  const other = join(persist, '..', 'other')
  await writeFile(other, 'other')
  await symlink(other, `${persist}.next`)
  t.equal((await send(server, addOrganizationMember)).statusCode, 200)
  t.equal(await readFile(other, 'utf8'), 'other')
  const sent = send(server, createSigningLink)
  while (!existsSync(`${persist}.next`)) await new Promise(setImmediate)
  writeFileSync(persist, 'mine')
  t.equal((await sent).statusCode, 507)
  t.equal(await readFile(persist, 'utf8'), 'mine')
  t.notOk(existsSync(`${persist}.next`), 'the temporary file is removed')
})

t.test('a change that cannot be stored is undone with its mail, and no id is used twice', async (t) => {
  const persist = stateFile(t)
  const home = join(persist, '..')
  const server = await build(t, { persist })
  const invite = async (email: string) =>
    answerOf(await send(server, addOrganizationMember, { form: { 'data[0][email]': email } }))
  const seen = async () => ({
    mails: (await adminOf(server).mails()).map(({ to }) => to),
    invited: (await newInvitations(server)).map(({ email }) => email),
  })
  await invite('first@example.test')
  await rename(home, `${home}-away`)
  await writeFile(home, 'no folder')
  const failed = await invite('second@example.test')
  t.match(failed, { status: 507, error: 'storage-failed', body: { detail: /undone/ } }, 'it is a problem')
  const kept = ['first@example.test']
  t.strictSame(await seen(), { mails: kept, invited: kept }, 'mail and invitation are undone')
  await rm(home)
  await rename(`${home}-away`, home)
  t.match(await readFile(persist, 'utf8'), /first@example.test/, 'the file still has the earlier invitation')
  t.match(await invite('second@example.test'), { status: 200 }, 'it succeeds once it can be stored')
  const both = [...kept, 'second@example.test']
  t.strictSame(await seen(), { mails: both, invited: both }, 'both are listed')
  t.match(await readFile(persist, 'utf8'), /second@example.test/, 'the file has it, too')
  const other = await build(t)
  for (const email of both) await send(other, addOrganizationMember, { form: { 'data[0][email]': email } })
  const ids = async (of: Server) => (await newInvitations(of)).map(({ id }) => id)
  const [[first, second], [same, undone]] = [await ids(server), await ids(other)]
  t.ok(first === same && second !== undone, 'it does not reuse the id that was undone')
})

t.test('an answered write survives kill -9', { timeout: 60_000 }, async (t) => {
  const persist = stateFile(t)
  const { payload, headers, url: path } = requestOf(addOrganizationMember)
  for (let round = 0; round < 3; round++) {
    const { child, url } = await serve(t, ['--no-watch', '--persist', persist])
    const answered: string[] = []
    const worker = async (name: string) => {
      for (let nth = 0; !child.killed; nth++) {
        const email = `${name}.${nth}@example.test`
        const body = String(payload).replace(/[^\r\n]+@example\.test/, email)
        const sent = fetch(url + path, { method: 'POST', headers, body } as RequestInit)
        const response = await sent.catch(() => undefined)
        if (response?.status === 200) answered.push(email)
      }
    }
    const workers = ['a', 'b', 'c'].map((one) => worker(`r${round}${one}`))
    await until(() => answered.length >= 20)
    child.kill('SIGKILL')
    await Promise.all(workers)
    const text = await readFile(persist, 'utf8')
    const lost = answered.filter((email) => !text.includes(`"${email}"`))
    t.strictSame(lost, [], `round ${round}: nothing is lost`)
  }
})

t.test('the lock of a killed server is taken over, even if its time is in the future', async (t) => {
  for (const seconds of [1, 86_400]) {
    const persist = stateFile(t)
    await mkdir(`${persist}.lock`)
    const ahead = Date.now() / 1_000 + seconds
    await utimes(`${persist}.lock`, ahead, ahead)
    t.equal((await send(await build(t, { persist }), addOrganizationMember)).statusCode, 200, `${seconds} s ahead`)
  }
})

t.test('the state is written again once its folder is back', async (t) => {
  const persist = join(folder(t, { 'kept/x': '' }), 'kept', 'state.json')
  const server = await build(t, { persist })
  await send(server, addOrganizationMember)
  const status = async (email: string) =>
    (await send(server, addOrganizationMember, { form: { 'data[0][email]': email } })).statusCode
  await rename(join(persist, '..'), `${join(persist, '..')}-away`)
  await until(async () => (await status('a@example.test')) === 507, 10_000)
  // The server checks its lock every second.
  await new Promise((later) => setTimeout(later, 1_500))
  await rename(`${join(persist, '..')}-away`, join(persist, '..'))
  t.equal(await status('b@example.test'), 200, 'it is written as before')
  t.ok((await written(persist)).invitations?.some(({ email }) => email === 'b@example.test'))
})

t.test('an invalid state file stops the start, is reported, and is not changed', async (t) => {
  for (const [text, message] of [
    ['hello', /state\.json:1:1: /],
    ['null', /must be an object/],
    ['{ "version": 2 }', /state\.json:1:14: /],
    ['{ "invitations": [], "invitations": [] }', /state\.json:1:22: Duplicate key 'invitations'/],
    [JSON.stringify({ organizations: [organization(1), organization(1)] }), /another record with the id 1,/],
  ] as const) {
    const persist = join(folder(t, { 'state.json': text }), 'state.json')
    await t.rejects(build(t, { persist }), { message }, text)
    t.equal(await readFile(persist, 'utf8'), text, `${text}: it is unchanged`)
  }
})

t.test('a second server cannot use the same file, by any path, until the first closes', async (t) => {
  const persist = stateFile(t)
  const first = await build(t, { persist })
  await send(first, addOrganizationMember)
  await symlink(persist, join(persist, '..', 'link.json'))
  const message = /json: The state is in use by another server\. Stop it, or set --persist to another file: /
  for (const name of ['state.json', 'link.json'])
    await t.rejects(build(t, { persist: join(persist, '..', name) }), { message }, name)
  await first.close()
  await t.resolves(build(t, { persist }), 'it can then start')
})

t.test('a change made by a page is in the file before its answer', async (t) => {
  const persist = stateFile(t)
  const server = await build(t, { persist })
  await send(server, addOrganizationMember)
  const id = (await adminOf(server).state()).invitations.at(-1)?.id
  await server.app.inject({ method: 'POST', url: `/invitations/${id}/accept` })
  t.equal((await written(persist)).invitations?.at(-1)?.status, 'accepted')
})
