import assert from 'node:assert/strict'
import type { Fixtures } from '../../schemas/fixtures.js'
import { contentsOf } from './model.js'
import { call, modelOf, prefixOf, ROOT, type Run, worldOf } from './run.js'

const HOST = 'Amélie Vestergaard'
const NAMES: Readonly<Record<number, string>> = {
  1: 'Harbourlight Maritime Holding',
  2: 'Κυκλάδες Shipping, Müller & Fils',
}

/** Looks at one thing of a world, and compares it with the model. */
export const looks: Readonly<Record<string, (run: Run, world: string) => Promise<void>>> = {
  state: async (run, world) => {
    const model = modelOf(run, world)
    model.acceptDue()
    const state: Fixtures = (await call(run, 'GET', `${prefixOf(world)}/__admin/state`)).json()
    assert.deepEqual(contentsOf(state), model.contents, `the state of ${world}`)
    for (const name of ['organization_members', 'invitations', 'signing_links'] as const) {
      const ids = (state[name] ?? []).map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length, `an id of ${name} came twice`)
    }
  },
  invitations: async (run, world) => {
    const model = modelOf(run, world)
    model.acceptDue()
    const { invitations } = (await call(run, 'GET', `${prefixOf(world)}/__admin/invitations`)).json()
    const expected = model.contents.invitations.map(({ accepts_at: _, ...one }) => one)
    assert.deepEqual(invitations, expected, `the invitations of ${world}`)
  },
  outbox: async (run, world) => {
    const { messages } = (await call(run, 'GET', `${prefixOf(world)}/__admin/outbox`)).json()
    const page = `http://localhost:80${prefixOf(world)}/invitations`
    const expected = modelOf(run, world).mails.map(({ person, created_at, about }) => ({
      to: person.email,
      subject: `${HOST} invites you to join ${NAMES[person.organization_id]}`,
      hello: `Hello ${person.first_name} ${person.last_name},`,
      links: { accept: `${page}/${about}?answer=accept`, decline: `${page}/${about}?answer=decline` },
      created_at,
    }))
    const seen = messages.map(({ to, subject, text, links, created_at }: Record<string, string>) => {
      return { to, subject, hello: text?.split('\n')[0], links, created_at }
    })
    assert.deepEqual(seen, expected, `the mails of ${world}`)
    assert.equal(new Set(messages.map(({ id }: { id: string }) => id)).size, messages.length, 'a mail’s id came twice')
  },
  scenarios: async (run, world) => {
    const { active } = worldOf(run, world).playback
    assert.deepEqual(active, modelOf(run, world).active, `what is on in ${world}`)
  },
  requests: async (run, world) => {
    const { meta } = (await call(run, 'GET', `${prefixOf(world)}/__admin/requests`)).json()
    assert.equal(meta.total, modelOf(run, world).calls, `the journal of ${world}`)
  },
  clock: async (run, world) => {
    const { now } = (await call(run, 'GET', `${prefixOf(world)}/__admin/clock`)).json()
    assert.equal(now, modelOf(run, world).iso, `the clock of ${world}`)
  },
}

/** Looks at all of every world. */
export async function lookAtAll(run: Run): Promise<void> {
  for (const world of run.models.keys()) for (const look of Object.values(looks)) await look(run, world)
  const names = run.server.worlds.sandboxes().map(({ name }) => name)
  const expected = [...run.models.keys()].filter((name) => name !== ROOT)
  assert.deepEqual(names.toSorted(), expected.toSorted(), 'the sandboxes')
}
