import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import {
  addOrganizationMember,
  createSigningLink,
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

t.test('the same calls give the same bytes, in two runs and in 64 sandboxes at once', async (t) => {
  const settings = { seed: '7', clock: '2026-01-15T09:30:00Z', scenarios: folder(t, { 'flaky.yaml': FLAKY }) }
  const first = await build(t, settings)
  const second = await build(t, settings)
  await Promise.all([first, second].map(({ worlds }) => worlds.root.library.load()))
  const alone = await story(first)
  t.equal(await story(second), alone, 'the same in another run')
  const names = Array.from({ length: 64 }, (_, at) => `worker-${at}`)
  const together = await Promise.all(names.map((name) => story(second, name)))
  t.strictSame(together, Array(64).fill(alone), 'the same in sandboxes, whatever the others do: nothing crosses')
  const other = await build(t, { ...settings, seed: '8' })
  await other.worlds.root.library.load()
  t.not(await story(other), alone, 'another seed gives others')
})

t.test('a sandbox sees nothing of the root or of another sandbox', async (t) => {
  const server = await build(t)
  const { app } = server
  await send(server, updateSubOrganizationMember, { sandbox: 'a', form: { first_name: 'Changed' } })
  await send(server, addOrganizationMember, { sandbox: 'a' })
  await app.inject({ method: 'PUT', url: '/~a/__admin/clock', payload: { now: '2030-01-01T00:00:00Z', frozen: true } })
  await app.inject({ method: 'PUT', url: '/~a/__admin/scenarios/verifyDocument:404', payload: { active: true } })
  const seen = async (sandbox?: string) => {
    const get = async (path: string) =>
      (await app.inject(`${sandbox === undefined ? '' : `/~${sandbox}`}/__admin/${path}`)).json()
    return {
      name: (await get('state')).sub_organization_members[0].first_name,
      mails: (await get('outbox')).messages.length,
      requests: (await get('requests')).meta.total,
      frozen: (await get('clock')).frozen,
      verified: (await send(server, verifyDocument, { sandbox })).statusCode,
    }
  }
  const untouched = { name: 'Zoë', mails: 0, requests: 0, frozen: false, verified: 200 }
  t.strictSame(await seen('a'), { name: 'Changed', mails: 1, requests: 2, frozen: true, verified: 404 }, 'its own')
  t.strictSame(await seen(), untouched, 'the root has none of it')
  t.strictSame(await seen('b'), untouched, 'nor has another sandbox')
})

t.test('reset begins again', async (t) => {
  const server = await build(t, { clock: '2026-01-15T09:30:00Z' })
  const { app, worlds } = server
  const before = worlds.root.state.export()
  await send(server, addOrganizationMember)
  worlds.root.playback.activate('verifyDocument:404')
  await app.inject({ method: 'PUT', url: '/__admin/clock', payload: { advance: 1000 } })
  t.notSame(worlds.root.state.export(), before, 'the state has changed')
  t.match(await app.inject({ method: 'POST', url: '/__admin/reset' }), { statusCode: 200 })
  const { state, outbox, playback, journal, clock } = worlds.root
  t.strictSame(state.export(), before, 'the state is as it was')
  const lists = [outbox.messages(), playback.active, journal.exchanges()]
  t.strictSame(lists, [[], [], []], 'mails, active scenarios and journal are empty')
  t.equal(clock.iso(), '2026-01-15T09:30:00.000Z', 'the clock is set back')
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

t.test('sandboxes are listed, deleted and bounded', async (t) => {
  const { app, worlds } = await build(t)
  for (let at = 0; at <= MOST_SANDBOXES; at++) worlds.sandbox(`s${at}`)
  const list: { name: string }[] = (await app.inject('/__admin/sandboxes')).json().sandboxes
  const names = Array.from({ length: MOST_SANDBOXES }, (_, at) => `s${at + 1}`)
  t.same(list.map(({ name }) => name).sort(), names.sort(), 'no more are kept than allowed: the idlest went first')
  for (const status of [200, 404])
    t.equal((await app.inject({ method: 'DELETE', url: '/__admin/sandboxes/s5' })).statusCode, status, 'deleted once')
})

t.test('the clock is got, set, moved on, frozen and let run', async (t) => {
  const { app } = await build(t)
  const put = async (payload: object) => (await app.inject({ method: 'PUT', url: '/__admin/clock', payload })).json()
  const noon = { now: '2026-03-01T12:00:00.000Z', frozen: true }
  t.strictSame(await put({ now: '2026-03-01T12:00:00Z', frozen: true }), noon, 'it is set and frozen')
  t.strictSame(await put({ advance: 60_000 }), { now: '2026-03-01T12:01:00.000Z', frozen: true }, 'it is moved on')
  const running = await put({ frozen: false })
  t.equal(running.frozen, false, 'it runs again')
  t.ok(Date.parse(running.now) - Date.parse('2026-03-01T12:01:00Z') < 5_000, 'it runs from where it stood')
  t.equal((await put({ now: '9999-12-31T23:59:59.999Z', frozen: false })).frozen, false, 'the latest time can run')
  await sleep(5)
  const { now } = (await app.inject('/__admin/clock')).json()
  t.equal(now, '9999-12-31T23:59:59.999Z', 'and stops there: a later one has no ISO form of four digits')
  t.match(await put({ now: 'tomorrow' }), { status: 400, detail: /ISO 8601.*'tomorrow'/ }, 'what is no time is refused')
})
