import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../../schemas/index.js'
import { MOST_SANDBOXES } from '../../src/world/worlds.js'
import { folder } from '../binary.js'
import { build, send } from '../helper.js'
import { story } from '../story.js'

const FLAKY = `
rules:
  - on: listCreditHistories
    chance: 0.5
    answer: { status: 401 }
`

t.test('the same calls give the same bytes, in two runs and in 16 sandboxes at once', async (t) => {
  const settings = { seed: '7', clock: '2026-01-15T09:30:00Z', scenarios: folder(t, { 'flaky.yaml': FLAKY }) }
  const first = await build(t, settings)
  const second = await build(t, settings)
  await Promise.all([first, second].map(({ worlds }) => worlds.root.library.load()))
  const alone = await story(first)
  t.equal(await story(second), alone, 'the same in another run')
  const names = Array.from({ length: 16 }, (_, at) => `worker-${at}`)
  const together = await Promise.all(names.map((name) => story(second, name)))
  t.strictSame(together, Array(16).fill(alone), 'the same in sandboxes, whatever the others do')
  const other = await build(t, { ...settings, seed: '8' })
  await other.worlds.root.library.load()
  t.not(await story(other), alone, 'another seed gives others')
})

t.test('a sandbox sees nothing of the root or of another sandbox', async (t) => {
  const server = await build(t)
  const { app } = server
  await send(server, updateSubOrganizationMember, {
    sandbox: 'a',
    form: { first_name: 'Changed', last_name: undefined, role: undefined },
  })
  await send(server, addOrganizationMember, { sandbox: 'a' })
  const stateOf = async (prefix: string) => (await app.inject(`${prefix}/__admin/state`)).json()
  const nameIn = async (prefix: string) => (await stateOf(prefix)).sub_organization_members[0].first_name
  t.equal(await nameIn('/~a'), 'Changed', 'a sandbox has its own change')
  t.equal(await nameIn(''), 'Zoë', 'the root is without the change')
  t.equal(await nameIn('/~b'), 'Zoë', 'another sandbox is without the change')
  t.equal((await app.inject('/~a/__admin/outbox')).json().messages.length, 1, 'a sandbox has its own mail')
  t.equal((await app.inject('/__admin/outbox')).json().messages.length, 0, 'the root has no mail')
  t.equal((await app.inject('/~a/__admin/requests')).json().meta.total, 2, 'a sandbox has its own requests')
  t.equal((await app.inject('/~b/__admin/requests')).json().meta.total, 0, 'another sandbox has no requests')
  await app.inject({ method: 'PUT', url: '/~a/__admin/clock', payload: { now: '2030-01-01T00:00:00Z', frozen: true } })
  t.equal((await app.inject('/~a/__admin/clock')).json().now, '2030-01-01T00:00:00.000Z', 'a sandbox has its own clock')
  t.equal((await app.inject('/~b/__admin/clock')).json().frozen, false, 'another sandbox’s clock runs on')
  await app.inject({ method: 'PUT', url: '/~a/__admin/scenarios/verifyDocument:404', payload: { active: true } })
  t.equal((await send(server, verifyDocument, { sandbox: 'a' })).statusCode, 404, 'a scenario is on in its sandbox')
  t.equal((await send(server, verifyDocument, { sandbox: 'b' })).statusCode, 200, 'off in another')
})

t.test('64 sandboxes under concurrent load: nothing crosses', async (t) => {
  const server = await build(t)
  const names = Array.from({ length: 64 }, (_, at) => `w${at}`)
  await Promise.all(
    names.flatMap((sandbox) =>
      Array.from({ length: 10 }, (_, nth) =>
        send(server, addOrganizationMember, { sandbox, form: { 'data[0][email]': `${sandbox}.${nth}@example.test` } }),
      ),
    ),
  )
  for (const name of names) {
    const world = server.worlds.sandbox(name)
    t.equal(world?.outbox.messages().length, 10, `${name} has all its mails`)
    t.ok(
      world?.outbox
        .messages()
        .every(({ to, links }) => to.startsWith(`${name}.`) && links.accept.includes(`/~${name}/`)),
      `${name} has no other mails`,
    )
  }
})

t.test('reset begins again', async (t) => {
  const server = await build(t, { clock: '2026-01-15T09:30:00Z' })
  const { app, worlds } = server
  const before = worlds.root.state.export()
  await send(server, addOrganizationMember)
  worlds.root.playback.activate('verifyDocument:404')
  await app.inject({ method: 'PUT', url: '/__admin/clock', payload: { advance: 1000 } })
  t.not(JSON.stringify(worlds.root.state.export()), JSON.stringify(before), 'the state has changed')
  const answer = await app.inject({ method: 'POST', url: '/__admin/reset' })
  t.equal(answer.statusCode, 200, 'the reset is answered with 200')
  t.strictSame(worlds.root.state.export(), before, 'the state is as it was')
  t.strictSame(
    [worlds.root.outbox.messages(), worlds.root.playback.active, worlds.root.journal.exchanges()],
    [[], [], []],
    'mails, active scenarios and journal are empty',
  )
  t.equal(worlds.root.clock.iso(), '2026-01-15T09:30:00.000Z', 'the clock is set back')
})

t.test('a state that was got can be put anywhere, and saved as fixtures', async (t) => {
  const server = await build(t)
  const { app } = server
  await send(server, addOrganizationMember)
  const state = (await app.inject('/__admin/state')).json()
  const put = await app.inject({ method: 'PUT', url: '/~copy/__admin/state', payload: state })
  t.strictSame(put.json(), state, 'a sandbox takes it')
  const place = folder(t, { 'state.json': JSON.stringify(state) })
  const other = await build(t, { fixtures: join(place, 'state.json') })
  t.strictSame((await other.app.inject('/__admin/state')).json(), state, 'a server takes it as its fixtures')
})

t.test('what is made in a state that came from another world replaces nothing in it', async (t) => {
  const server = await build(t)
  const { app } = server
  const makeAll = async (sandbox: string, email: string) => {
    await send(server, addOrganizationMember, { sandbox, form: { 'data[0][email]': email } })
    await send(server, createSigningLink, { sandbox, query: { email } })
    await send(server, uploadSignature, { sandbox })
  }
  await makeAll('a', 'ada@example.test')
  const state = (await app.inject('/~a/__admin/state')).json()
  await app.inject({ method: 'PUT', url: '/~b/__admin/state', payload: state })
  await makeAll('b', 'grace@example.test')
  const after = (await app.inject('/~b/__admin/state')).json()
  for (const name of ['invitations', 'signing_links', 'signatures'])
    t.equal(after[name].length, state[name].length + 1, `there is one more of the ${name}`)
})

t.test('a state that is wrong is refused, and the old one stays', async (t) => {
  const server = await build(t)
  const { app } = server
  const total = async () => (await send(server, listCreditHistories)).json().total
  const before = await total()
  const wrong = { credit_histories: [{ id: 'x' }], usrs: [] }
  const refused = await app.inject({ method: 'PUT', url: '/__admin/state', payload: wrong })
  t.equal(refused.statusCode, 400, 'a state that does not fit is refused')
  t.match(refused.json().detail, /usrs.*Did you mean 'users'/s, 'the answer corrects the name')
  const dangling = {
    projects: [
      { uuid: 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11', user_uuid: 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e12', name: 'P' },
    ],
  }
  t.match(
    (await app.inject({ method: 'PUT', url: '/__admin/state', payload: dangling })).json().detail,
    /refers to a record that does not exist/,
    'a reference to nothing is refused',
  )
  t.equal(await total(), before, 'the old state stays')
})

t.test('sandboxes are listed, deleted and bounded', async (t) => {
  const { app, worlds } = await build(t)
  for (let at = 0; at <= MOST_SANDBOXES; at++) worlds.sandbox(`s${at}`)
  const list = (await app.inject('/__admin/sandboxes')).json().sandboxes
  t.equal(list.length, MOST_SANDBOXES, 'no more sandboxes are kept than allowed')
  const names = list.map(({ name }: { name: string }) => name)
  t.notOk(names.includes('s0'), 'the idlest went first')
  t.match((await app.inject('/__admin/requests')).json().meta.notes, [/'s0' was removed/], 'a note says which')
  t.equal((await app.inject({ method: 'DELETE', url: '/__admin/sandboxes/s5' })).statusCode, 200, 's5 is deleted')
  t.equal((await app.inject({ method: 'DELETE', url: '/__admin/sandboxes/s5' })).statusCode, 404, 's5 is not found')
})

t.test('the clock is got, set, moved on, frozen and let run', async (t) => {
  const { app } = await build(t)
  const put = async (payload: object) => (await app.inject({ method: 'PUT', url: '/__admin/clock', payload })).json()
  const frozen = await put({ now: '2026-03-01T12:00:00Z', frozen: true })
  t.strictSame(frozen, { now: '2026-03-01T12:00:00.000Z', frozen: true }, 'it is set and frozen')
  t.strictSame(await put({ advance: 60_000 }), { now: '2026-03-01T12:01:00.000Z', frozen: true }, 'it is moved on')
  const running = await put({ frozen: false })
  t.equal(running.frozen, false, 'it runs again')
  t.ok(Date.parse(running.now) - Date.parse('2026-03-01T12:01:00Z') < 5_000, 'it runs from where it stood')
  t.equal((await put({ now: '9999-12-31T23:59:59.999Z', frozen: false })).frozen, false, 'the latest time can run')
  await sleep(5)
  const { now } = (await app.inject('/__admin/clock')).json()
  t.equal(now, '9999-12-31T23:59:59.999Z', 'and stops there: a later one has no ISO form of four digits')
  const wrong = await app.inject({ method: 'PUT', url: '/__admin/clock', payload: { now: 'tomorrow' } })
  t.equal(wrong.statusCode, 400, 'what is no time is refused')
  t.match(wrong.json().detail, /ISO 8601.*'tomorrow'/, 'the answer says how a time is written')
})
