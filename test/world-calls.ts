import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import type { Fixtures } from '../schemas/fixtures.js'
import { addOrganizationMember, createSigningLink, updateSubOrganizationMember } from '../schemas/index.js'
import { defaultFixtures } from '../src/package-root.js'
import type { Server } from '../src/server/create-server.js'
import { readFixtures } from '../src/world/state/fixtures.js'
import type { World } from '../src/world/world.js'
import { requestOf } from './helper.js'
import { contentsOf, type Person, type Rules, WorldModel } from './world-model.js'

export const START = Date.parse('2026-01-15T09:30:00.000Z')
const HOST = 'Amélie Vestergaard'
const NAMES: Readonly<Record<number, string>> = {
  1: 'Harbourlight Maritime Holding',
  2: 'Κυκλάδες Shipping, Müller & Fils',
}

const { attachments: _, credit_histories: __, ...others } = await readFixtures(defaultFixtures)
/** The default world, without what is large and never changes. */
export const seeded: Fixtures = others
const person = { first_name: 'Ada', last_name: 'Lovelace', role: 'Member' as const }
const [invitation] = seeded.invitations as [NonNullable<Fixtures['invitations']>[number]]

/** States to put: another one, one in which a member is invited and a time is due, and one that is wrong. */
const states: Readonly<Record<string, Fixtures>> = {
  another: { ...seeded, organization_members: [], invitations: [], signing_links: [] },
  due: {
    ...seeded,
    organization_members: [{ ...person, id: 1_000_001, organization_id: 1, email: 'ADA@example.test' }],
    invitations: ['ada@example.test', 'grace@example.test'].map((email, nth) => ({
      ...invitation,
      ...person,
      id: invitation.id.replace(/^./, String(nth)),
      email,
      organization_id: 1,
      status: 'pending' as const,
      accepts_at: new Date(START + 45_000).toISOString(),
    })),
  },
  wrong: { ...seeded, invitations: [invitation, invitation] },
}

/** A server, and what each of its worlds should be. */
export interface Run {
  readonly rules: Rules
  server: Server
  readonly models: Map<string, WorldModel>
  readonly restart: () => Promise<Server>
  readonly persisted: boolean
}

export const ROOT = 'root'
const prefixOf = (world: string) => (world === ROOT ? '' : `/~${world}`)

function modelOf({ models, rules }: Run, world: string): WorldModel {
  const model = models.get(world) ?? new WorldModel(rules, contentsOf(seeded), START)
  models.set(world, model)
  return model
}

function worldOf({ server: { worlds } }: Run, world: string): World {
  return world === ROOT ? worlds.root : (worlds.sandbox(world) as World)
}

/** A call to a world's admin or pages. */
function call({ server: { app } }: Run, method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) {
  return app.inject({ method, url, ...(payload && { payload }) })
}

/** A call to the API of a world, and whether the journal counts it. */
async function callApi(run: Run, world: string, ...[contract, changes]: Parameters<typeof requestOf>) {
  const sandbox = world === ROOT ? undefined : world
  const answer = await run.server.app.inject(requestOf(contract, { ...changes, sandbox }))
  assert.equal(answer.headers['x-mock-exchange'], `x${++modelOf(run, world).calls}`, 'the exchange is the next one')
  assert.equal(answer.headers['x-mock-outcome'], `${contract.id}:${answer.statusCode}`, 'the outcome is the answer')
  return answer
}

function answered(answer: LightMyRequestResponse, status: number): void {
  assert.equal(answer.statusCode, status, `answered ${answer.statusCode} and not ${status}: ${answer.body}`)
}

const worlds = fc.constantFrom(ROOT, 'a', 'b')
const emails = fc.constantFrom('ada@example.test', 'ADA@example.test', 'grace@example.test')
const first_name = fc.constantFrom('Ada', 'Grace', 'Zoë')

/** One kind of call: how often it comes, what it is made of, and how it is made and checked. */
interface Kind<Parts> {
  readonly weight: number
  readonly parts: { readonly [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> }
  readonly make: (run: Run, parts: Parts) => Promise<void>
}
const kind = <Parts>(weight: number, parts: Kind<Parts>['parts'], make: Kind<Parts>['make']): Kind<Parts> => ({
  weight,
  parts,
  make,
})

/** What is looked at, beside the state. */
const lists: Readonly<Record<string, (run: Run, world: string) => Promise<void>>> = {
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

const kinds = {
  invite: kind(
    10,
    { world: worlds, email: emails, organization_id: fc.constantFrom(1, 2), first_name },
    async (run, { world, ...who }) => {
      const whole: Person = { ...person, ...who }
      const answer = await callApi(run, world, addOrganizationMember, {
        form: Object.fromEntries(Object.entries(whole).map(([name, value]) => [`data[0][${name}]`, value])),
      })
      const model = modelOf(run, world)
      const forced = model.forced('addOrganizationMember')
      if (forced !== undefined) return answered(answer, forced)
      const before = new Set(model.contents.invitations.map(({ id }) => id))
      answered(answer, model.invite(whole))
      for (const { id } of worldOf(run, world).state.collection('invitations').all())
        if (!before.has(id)) model.learn(id)
    },
  ),
  answer: kind(
    10,
    {
      world: worlds,
      nth: fc.nat(9),
      answer: fc.constantFrom('accept', 'decline'),
      by: fc.constantFrom('admin', 'page'),
    },
    async (run, { world, nth, answer, by }) => {
      const model = modelOf(run, world)
      const { invitations } = model.contents
      const id = invitations.length === 0 ? 'nobody' : (invitations[nth % invitations.length]?.id as string)
      const place = by === 'admin' ? '/__admin/invitations' : '/invitations'
      const result = await call(run, 'POST', `${prefixOf(world)}${place}/${id}/${answer}`)
      model.acceptDue()
      const known = model.contents.invitations.find((one) => one.id === id)
      if (known?.status === 'pending') model.answer(known, answer === 'accept' ? 'accepted' : 'declined')
      const status = known === undefined ? 404 : known.status === 'pending' ? 200 : 409
      answered(result, by === 'admin' ? status : 303)
    },
  ),
  update: kind(3, { world: worlds, first_name }, async (run, { world, first_name }) => {
    const answer = await callApi(run, world, updateSubOrganizationMember, { form: { first_name } })
    const model = modelOf(run, world)
    answered(answer, model.forced('updateSubOrganizationMember') ?? 200)
    if (model.forced('updateSubOrganizationMember') === undefined)
      model.contents = { ...model.contents, updated: first_name }
  }),
  link: kind(4, { world: worlds, email: emails.map((one) => one.toLowerCase()) }, async (run, { world, email }) => {
    const answer = await callApi(run, world, createSigningLink, { query: { email } })
    answered(answer, 200)
    const model = modelOf(run, world)
    model.contents = { ...model.contents, links: { [email]: model.iso, ...model.contents.links } }
    assert.equal(answer.json().created_at, model.contents.links[email], 'the link is that of the recipient')
  }),
  clock: kind(
    6,
    {
      world: worlds,
      set: fc.oneof(
        fc.record({ advance: fc.constantFrom(0, 1, 30_000, 60_000) }),
        fc.record({ now: fc.constantFrom(START, START + 45_000).map((ms) => new Date(ms).toISOString()) }),
      ),
    },
    async (run, { world, set }) => {
      answered(await call(run, 'PUT', `${prefixOf(world)}/__admin/clock`, set), 200)
      const model = modelOf(run, world)
      model.now = 'now' in set ? Date.parse(set.now) : model.now + set.advance
    },
  ),
  switch: kind(
    3,
    {
      world: worlds,
      outcome: fc.constantFrom(
        'addOrganizationMember:409',
        'addOrganizationMember:200',
        'updateSubOrganizationMember:403',
      ),
      on: fc.boolean(),
    },
    async (run, { world, outcome, on }) => {
      answered(await call(run, 'PUT', `${prefixOf(world)}/__admin/scenarios/${outcome}`, { active: on }), 200)
      const model = modelOf(run, world)
      const others = model.active.filter((one) => one !== outcome)
      model.active = on ? (model.active.includes(outcome) ? model.active : [...others, outcome]) : others
    },
  ),
  reset: kind(2, { world: worlds }, async (run, { world }) => {
    answered(await call(run, 'POST', `${prefixOf(world)}/__admin/reset`), 200)
    modelOf(run, world).reset()
  }),
  put: kind(2, { world: worlds, state: fc.constantFrom(...Object.keys(states)) }, async (run, { world, state }) => {
    const model = modelOf(run, world)
    const answer = await call(run, 'PUT', `${prefixOf(world)}/__admin/state`, states[state] as Fixtures)
    answered(answer, state === 'wrong' ? 400 : 200)
    if (state !== 'wrong') model.contents = contentsOf(states[state] as Fixtures)
  }),
  copy: kind(4, { world: worlds, to: worlds }, async (run, { world, to }) => {
    const state = (await call(run, 'GET', `${prefixOf(world)}/__admin/state`)).json()
    const model = modelOf(run, world)
    model.acceptDue()
    answered(await call(run, 'PUT', `${prefixOf(to)}/__admin/state`, state), 200)
    modelOf(run, to).contents = model.contents
  }),
  list: kind(6, { world: worlds, what: fc.constantFrom(...Object.keys(lists)) }, async (run, { world, what }) => {
    await lists[what]?.(run, world)
  }),
  delete: kind(1, { world: fc.constantFrom('a', 'b') }, async (run, { world }) => {
    const known = run.models.delete(world)
    answered(await call(run, 'DELETE', `/__admin/sandboxes/${world}`), known ? 200 : 404)
  }),
  restart: kind(1, {}, async (run) => {
    run.server = await run.restart()
    const root = modelOf(run, ROOT)
    run.models.clear()
    if (run.persisted) run.models.set(ROOT, root)
    root.restart()
  }),
}

type Kinds = typeof kinds
export type Call = {
  [Name in keyof Kinds]: { readonly kind: Name } & (Kinds[Name] extends Kind<infer Parts> ? Parts : never)
}[keyof Kinds]

/** Calls of every kind. */
export const anyCalls: fc.Arbitrary<Call[]> = fc.array(
  fc.oneof(
    ...Object.entries(kinds).map(([name, { weight, parts }]) => ({
      weight,
      arbitrary: fc.record({ kind: fc.constant(name), ...parts }) as fc.Arbitrary<Call>,
    })),
  ),
  { maxLength: 30, size: 'max' },
)

/** Makes a call. @throws {AssertionError} where it does not lead to what the model says */
export async function make(run: Run, { kind, ...parts }: Call): Promise<void> {
  await kinds[kind].make(run, parts as never)
}

/** Looks at all of every world. */
export async function lookAtAll(run: Run): Promise<void> {
  for (const world of run.models.keys()) for (const look of Object.values(lists)) await look(run, world)
  const names = run.server.worlds.sandboxes().map(({ name }) => name)
  const expected = [...run.models.keys()].filter((name) => name !== ROOT)
  assert.deepEqual(names.toSorted(), expected.toSorted(), 'the sandboxes')
}
