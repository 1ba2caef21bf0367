import type { Fixtures, Invitation } from '../../schemas/fixtures.js'
import type { Acceptance } from '../../src/world/settings.js'

/** What a run is about; the other settings are the defaults. */
export interface Rules {
  readonly acceptance: Acceptance
  readonly pendingInvitation: 'resend' | 'conflict'
}

export interface Person {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly role: Invitation['role']
  readonly organization_id: number
}

/** An invitation; its id is learned once the world has given it one. */
export interface Invited extends Person {
  readonly id: string | undefined
  readonly status: Invitation['status']
  readonly created_at: string
  readonly accepts_at: number | undefined
}

interface Sent {
  readonly person: Person
  readonly created_at: string
  /** The id of its invitation. */
  readonly about: string | undefined
}

/** What a state holds, as far as the calls of these tests change it. */
export interface Contents {
  readonly members: readonly Person[]
  readonly invitations: readonly Invited[]
  /** The first name of the one member that is updated. */
  readonly updated: string
  /** When each recipient's signing link was made. */
  readonly links: Readonly<Record<string, string>>
}

/** A world as plainly as it can be written. */
export class WorldModel {
  readonly #rules: Rules
  readonly #seeded: Contents
  readonly #start: number
  contents: Contents
  now: number
  mails: readonly Sent[] = []
  /** The outcomes that are on as scenarios. */
  active: readonly string[] = []
  /** The calls that the journal has taken in. */
  calls = 0

  constructor(rules: Rules, seeded: Contents, start: number) {
    this.#rules = rules
    this.#seeded = seeded
    this.#start = start
    this.contents = seeded
    this.now = start
  }

  get iso(): string {
    return new Date(this.now).toISOString()
  }

  /** The status that is forced on an operation: that of the outcome which was switched on first. */
  forced(operation: string): number | undefined {
    const name = this.active.find((one) => one.startsWith(`${operation}:`))
    return name === undefined ? undefined : Number(name.split(':')[1])
  }

  /** Returns the status of the answer. */
  invite(person: Person): number {
    this.acceptDue()
    const { acceptance, pendingInvitation } = this.#rules
    const { invitations, members } = this.contents
    const pending = invitations.find((one) => one.status === 'pending' && isFor(one, person))
    if (members.some((one) => isFor(one, person))) return 409
    if (pending !== undefined && pendingInvitation === 'conflict') return 409
    const delay = acceptance === 'immediately' ? 0 : acceptance === 'manual' ? undefined : acceptance.after
    const invitation: Invited = {
      ...person,
      id: pending?.id,
      status: 'pending',
      created_at: pending?.created_at ?? this.iso,
      accepts_at: delay === undefined ? undefined : this.now + delay,
    }
    const others = invitations.filter((one) => one !== pending)
    const place = pending === undefined ? others.length : invitations.indexOf(pending)
    this.contents = { ...this.contents, invitations: others.toSpliced(place, 0, invitation) }
    this.mails = [...this.mails, { person, created_at: this.iso, about: pending?.id }]
    this.acceptDue()
    return 200
  }

  /** Takes in the id that the world gave to the last invitation. */
  learn(id: string): void {
    const known = <T extends { readonly [Key in Name]: string | undefined }, Name extends string>(
      one: T,
      name: Name,
    ) => (one[name] === undefined ? { ...one, [name]: id } : one)
    this.contents = { ...this.contents, invitations: this.contents.invitations.map((one) => known(one, 'id')) }
    this.mails = this.mails.map((one) => known(one, 'about'))
  }

  /** Answers what is still pending. */
  answer({ id }: Invited, status: 'accepted' | 'declined'): void {
    const { invitations, members } = this.contents
    const place = invitations.findIndex((one) => one.id === id)
    const invitation = invitations[place] as Invited
    const { email, first_name, last_name, role, organization_id } = invitation
    const joins = status === 'accepted' && !members.some((one) => isFor(one, invitation))
    this.contents = {
      ...this.contents,
      invitations: invitations.with(place, { ...invitation, status, accepts_at: undefined }),
      members: joins ? [...members, { email, first_name, last_name, role, organization_id }] : members,
    }
  }

  acceptDue(): void {
    for (const one of this.contents.invitations) {
      if (one.status === 'pending' && one.accepts_at !== undefined && one.accepts_at <= this.now)
        this.answer(one, 'accepted')
    }
  }

  reset(): void {
    this.contents = this.#seeded
    this.restart()
  }

  /** What a server loses that starts again: all but the state. */
  restart(): void {
    Object.assign(this, { now: this.#start, mails: [], active: [], calls: 0 })
  }
}

function isFor(one: Person, { email, organization_id }: Person): boolean {
  return one.organization_id === organization_id && one.email.toLowerCase() === email.toLowerCase()
}

/** What a state in the fixtures format holds. */
export function contentsOf(state: Fixtures): Contents {
  const { organization_members = [], invitations = [], sub_organization_members = [], signing_links = [] } = state
  return {
    members: organization_members.map(({ id: _, ...person }) => person),
    invitations: invitations.map(({ invited_by: _, accepts_at, ...one }) => ({
      ...one,
      accepts_at: accepts_at === undefined ? undefined : Date.parse(accepts_at),
    })),
    updated: sub_organization_members[0]?.first_name ?? '',
    links: Object.fromEntries(signing_links.map(({ email, created_at }) => [email, created_at])),
  }
}
