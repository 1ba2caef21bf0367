import type { Invitation, RecordOf, User } from '../../schemas/fixtures.js'
import type { Switches } from '../../schemas/switches.js'
import type { World } from '../world/world.js'
import { invitationMail } from './invitation-mail.js'

type Status = Invitation['status']

/** The next status after an event; `refused` changes nothing (I-07). */
const life: { readonly [S in Status]: { readonly [Event in 'accept' | 'decline']: Status | 'refused' } } = {
  pending: { accept: 'accepted', decline: 'declined' },
  accepted: { accept: 'refused', decline: 'refused' },
  declined: { accept: 'refused', decline: 'refused' },
}

export interface Invitee {
  readonly organization: RecordOf<'organizations'>
  readonly by: User
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly role: Invitation['role']
  readonly baseUrl: string
}

/** Invites someone by mail; returns why it is refused, or undefined. */
export function invite(world: World, again: Switches['pendingInvitation'], invitee: Invitee): string | undefined {
  acceptDueInvitations(world)
  const { organization, by, baseUrl, email, first_name, last_name, role } = invitee
  const isHere = isMembership(organization.id, email)
  if (world.state.collection('organization_members').all().some(isHere)) {
    return `'${email}' is already a member of the organization '${organization.name}'.`
  }
  const invitations = world.state.collection('invitations')
  const pending = invitations.all().find((one) => one.status === 'pending' && isHere(one))
  if (pending !== undefined && again === 'conflict') {
    return `'${email}' has already been invited to the organization '${organization.name}'.`
  }
  const invitation = invitations.put({
    email,
    first_name,
    last_name,
    role,
    id: pending?.id ?? world.uuid('invitation', invitations),
    organization_id: organization.id,
    status: 'pending',
    created_at: pending?.created_at ?? world.clock.iso(),
    invited_by: by.uuid,
    ...acceptsAt(world),
  })
  const mail = invitationMail({ invitation, organization, by, baseUrl })
  world.send({ id: world.uuid('mail'), created_at: world.clock.iso(), ...mail })
  acceptDueInvitations(world)
  return undefined
}

function acceptsAt({ settings: { acceptance }, clock }: World): { accepts_at?: string } {
  if (acceptance === 'manual') return {}
  const delay = acceptance === 'immediately' ? 0 : acceptance.after
  return { accepts_at: clock.iso(delay) }
}

/** Undefined if the invitation is no longer pending. Synchronous, so that of two answers only one counts. */
export function answerInvitation(world: World, id: string, event: 'accept' | 'decline'): Invitation | undefined {
  acceptDueInvitations(world)
  const invitation = world.state.collection('invitations').get(id)
  return invitation && follow(world, invitation, event)
}

function follow(world: World, invitation: Invitation, event: 'accept' | 'decline'): Invitation | undefined {
  const status = life[invitation.status][event]
  if (status === 'refused') return undefined
  const { accepts_at: _, ...rest } = invitation
  if (status === 'accepted') join(world, rest)
  return world.state.collection('invitations').put({ ...rest, status })
}

/** To be called before invitations or members are read. */
export function acceptDueInvitations(world: World): void {
  const now = world.clock.now()
  for (const invitation of world.state.collection('invitations').all()) {
    const { status, accepts_at } = invitation
    if (status === 'pending' && accepts_at !== undefined && Date.parse(accepts_at) <= now)
      follow(world, invitation, 'accept')
  }
}

function join(world: World, { organization_id, email, first_name, last_name, role }: Invitation): void {
  const members = world.state.collection('organization_members')
  if (members.all().some(isMembership(organization_id, email))) return
  let id: number
  do id = FIRST_NEW_MEMBER + world.state.next('organization member')
  while (members.get(id) !== undefined)
  members.put({ id, organization_id, email, first_name, last_name, role })
}

function isMembership(organizationId: number, email: string) {
  return (one: { readonly organization_id: number; readonly email: string }) =>
    one.organization_id === organizationId && one.email.toLowerCase() === email.toLowerCase()
}

/** Beyond the ids that fixtures usually have. */
const FIRST_NEW_MEMBER = 1_000_000
