import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Fixtures } from '../../schemas/fixtures.js'
import { addOrganizationMember, createSigningLink, updateSubOrganizationMember } from '../../schemas/index.js'
import { looks } from './looks.js'
import { contentsOf, type Person } from './model.js'
import { answered, call, callApi, modelOf, prefixOf, ROOT, type Run, START, seeded, worldOf } from './run.js'

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

// Most calls go to one world and about one person: what happens there depends on what came before.
const worlds = fc.constantFrom('a', 'a', 'a', 'b', ROOT)
const emails = fc.constantFrom('ada@example.test', 'ada@example.test', 'ADA@example.test', 'grace@example.test')
const first_name = fc.constantFrom('Ada', 'Grace', 'Zoë')

/** One kind of call: how often it comes, what it is made of, and how it is made and checked. */
interface Kind<Parts> {
  readonly weight: number
  readonly parts: { readonly [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> }
  readonly make: (run: Run, parts: Parts) => Promise<void>
}
const kind = <Parts>(weight: number, parts: Kind<Parts>['parts'], make: Kind<Parts>['make']): Kind<Parts> => {
  return { weight, parts, make }
}

const invited = { world: worlds, email: emails, organization_id: fc.constantFrom(1, 1, 2), first_name }
const nths = fc.constantFrom(0, 0, 1, 2)
const [answers, places] = [
  fc.constantFrom('accept', 'decline'),
  fc.constantFrom('/__admin/invitations', '/invitations'),
]
const outcomes = fc.constantFrom(
  'addOrganizationMember:409',
  'addOrganizationMember:200',
  'updateSubOrganizationMember:403',
)
const times = fc.oneof(
  fc.record({ advance: fc.constantFrom(0, 1, 30_000, 60_000) }),
  fc.record({ now: fc.constantFrom(START, START + 45_000).map((ms) => new Date(ms).toISOString()) }),
)

const kinds = {
  invite: kind(10, invited, async (run, { world, ...who }) => {
    const whole: Person = { ...person, ...who }
    const form = Object.fromEntries(Object.entries(whole).map(([name, value]) => [`data[0][${name}]`, value]))
    const answer = await callApi(run, world, addOrganizationMember, { form })
    const model = modelOf(run, world)
    const forced = model.forced('addOrganizationMember')
    if (forced !== undefined) return answered(answer, forced)
    const before = new Set(model.contents.invitations.map(({ id }) => id))
    answered(answer, model.invite(whole))
    for (const { id } of worldOf(run, world).state.collection('invitations').all()) if (!before.has(id)) model.learn(id)
  }),
  answer: kind(10, { world: worlds, nth: nths, answer: answers, place: places }, async (run, parts) => {
    const { world, nth, answer, place } = parts
    const model = modelOf(run, world)
    const { invitations } = model.contents
    const id = invitations.length === 0 ? 'nobody' : (invitations.at(-1 - (nth % invitations.length))?.id as string)
    const result = await call(run, 'POST', `${prefixOf(world)}${place}/${id}/${answer}`)
    model.acceptDue()
    const known = model.contents.invitations.find((one) => one.id === id)
    if (known?.status === 'pending') model.answer(known, answer === 'accept' ? 'accepted' : 'declined')
    const status = known === undefined ? 404 : known.status === 'pending' ? 200 : 409
    answered(result, place === '/invitations' ? 303 : status)
  }),
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
  clock: kind(8, { world: worlds, set: times }, async (run, { world, set }) => {
    answered(await call(run, 'PUT', `${prefixOf(world)}/__admin/clock`, set), 200)
    const model = modelOf(run, world)
    model.now = 'now' in set ? Date.parse(set.now) : model.now + set.advance
  }),
  switch: kind(5, { world: worlds, outcome: outcomes, on: fc.boolean() }, async (run, { world, outcome, on }) => {
    answered(await call(run, 'PUT', `${prefixOf(world)}/__admin/scenarios/${outcome}`, { active: on }), 200)
    const model = modelOf(run, world)
    const others = model.active.filter((one) => one !== outcome)
    model.active = on ? (model.active.includes(outcome) ? model.active : [...others, outcome]) : others
  }),
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
  list: kind(6, { world: worlds, what: fc.constantFrom(...Object.keys(looks)) }, async (run, { world, what }) => {
    await looks[what]?.(run, world)
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

function callOf(name: keyof Kinds, fixed: Partial<Call> = {}): fc.Arbitrary<Call> {
  const given = Object.fromEntries(Object.entries(fixed).map(([part, value]) => [part, fc.constant(value)]))
  return fc.record({ kind: fc.constant(name), ...kinds[name].parts, ...given }) as fc.Arbitrary<Call>
}

/** An invitation that is due when the next call comes. */
const due: fc.Arbitrary<Call[]> = fc.tuple(
  callOf('invite', { world: 'a', organization_id: 1 }),
  fc.constant<Call>({ kind: 'clock', world: 'a', set: { advance: 60_000 } }),
  fc.oneof(callOf('invite', { world: 'a', organization_id: 1 }), callOf('answer', { world: 'a', nth: 0 })),
)

const single = Object.entries(kinds).map(([name, { weight }]) => {
  return { weight, arbitrary: callOf(name as keyof Kinds).map((call) => [call]) }
})

/** Calls of every kind. */
export const anyCalls: fc.Arbitrary<Call[]> = fc
  .array(fc.oneof(...single, { weight: 2, arbitrary: due }), { maxLength: 30, size: 'max' })
  .map((calls) => calls.flat())

/** Makes a call. @throws {AssertionError} where it does not lead to what the model says */
export async function make(run: Run, { kind, ...parts }: Call): Promise<void> {
  // Whatever a sandbox is asked, it is made.
  if ('world' in parts && kind !== 'delete') modelOf(run, parts.world)
  await kinds[kind].make(run, parts as never)
}
