import { type Static, Type } from '@sinclair/typebox'
import { closedObject, oneOf } from '../../engine/contract/fields.js'
import { timeOf } from '../../engine/contract/time.js'
import { html } from '../../engine/html.js'
import type { Mail } from '../../engine/sandbox/mail/outbox.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import type { EngineSettings } from '../../engine/sandbox/settings.js'
import {
  type Invitation,
  invitations,
  membershipKey,
  type Organization,
  organizationMembers,
  type User,
} from '../records.js'
import type { SwitchSettings } from '../switches.js'

export interface InvitationRequest extends Pick<Invitation, 'email' | 'first_name' | 'last_name' | 'role'> {
  readonly organization: Organization
  readonly by: User
  readonly baseUrl: string
}

/** Invites someone by mail; returns the conflict as a message, or undefined. */
export function invite(sandbox: Sandbox, ifPending: SwitchSettings['pendingInvitation'], request: InvitationRequest) {
  acceptDueInvitations(sandbox)
  const { organization, by, email, first_name, last_name, role } = request
  const delay = acceptanceDelay(sandbox.settings)
  const key = membershipKey({ organization_id: organization.id, email })
  if (sandbox.state.collection(organizationMembers).findBy('membership', key).length > 0) {
    return `'${email}' is already a member of the organization '${organization.name}'.`
  }
  const all = sandbox.state.collection(invitations)
  const pending = all.findBy('membership', key).find(({ status }) => status === 'pending')
  if (pending !== undefined && ifPending === 'conflict') {
    return `'${email}' has already been invited to the organization '${organization.name}'.`
  }
  const invitation = all.put({
    email,
    first_name,
    last_name,
    role,
    id: pending?.id ?? sandbox.uuid('invitation', all),
    organization_id: organization.id,
    status: 'pending',
    created_at: pending?.created_at ?? sandbox.clock.iso(),
    invited_by: by.uuid,
    ...(delay !== undefined && { accepts_at: sandbox.clock.iso(delay) }),
  })
  sandbox.send(invitationMail(sandbox, invitation, request))
  acceptDueInvitations(sandbox)
  return undefined
}

/** Undefined if the invitation is not pending. Synchronous, so that only one of two simultaneous responses counts. */
export function respondToInvitation(sandbox: Sandbox, id: string, event: 'accept' | 'decline'): Invitation | undefined {
  acceptDueInvitations(sandbox)
  const invitation = sandbox.state.collection(invitations).get(id)
  return invitation && applyResponse(sandbox, invitation, event)
}

function applyResponse(sandbox: Sandbox, invitation: Invitation, event: 'accept' | 'decline'): Invitation | undefined {
  if (invitation.status !== 'pending') return undefined
  const { accepts_at: _, ...rest } = invitation
  if (event === 'accept') addMember(sandbox, rest)
  return sandbox.state.collection(invitations).put({ ...rest, status: event === 'accept' ? 'accepted' : 'declined' })
}

/** No timer accepts invitations: call this before reading them or members. */
export function acceptDueInvitations(sandbox: Sandbox): void {
  const now = sandbox.clock.now()
  for (const invitation of sandbox.state.collection(invitations).findBy('scheduled', 'scheduled')) {
    const { accepts_at } = invitation
    if ((timeOf(accepts_at ?? '') ?? Infinity) <= now) applyResponse(sandbox, invitation, 'accept')
  }
}

function addMember(sandbox: Sandbox, { organization_id, email, first_name, last_name, role }: Invitation): void {
  const members = sandbox.state.collection(organizationMembers)
  if (members.findBy('membership', membershipKey({ organization_id, email })).length > 0) return
  let id: number
  do id = FIRST_NEW_MEMBER + sandbox.state.next('organization member')
  while (members.get(id) !== undefined)
  members.put({ id, organization_id, email, first_name, last_name, role })
}

/** Higher than the ids that fixtures usually have. */
const FIRST_NEW_MEMBER = 1_000_000

const Acceptance = Type.Union(
  [
    oneOf(['manual', 'immediately']),
    closedObject({
      after: Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: '^\\d+(\\.\\d+)? ?(ms|s|m|h)$' })]),
    }),
  ],
  { 'x-allowed': 'manual, immediately, or { after: 3s }' },
)

export const InvitationSettings = closedObject(
  { accept: Type.Optional(Acceptance) },
  { description: 'How invitations are answered; by default, accept is manual.' },
)

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** Milliseconds until an invitation is accepted automatically; undefined if the invitee must answer. */
function acceptanceDelay({ extraConfig }: EngineSettings): number | undefined {
  // The config's schema has checked it.
  const { accept = 'manual' } = (extraConfig.invitations ?? {}) as Static<typeof InvitationSettings>
  if (accept === 'manual') return undefined
  if (accept === 'immediately') return 0
  const { after } = accept
  if (typeof after === 'number') return after
  const [, amount, unit = ''] = /^([\d.]+) ?(\w+)$/.exec(after) ?? []
  return Number(amount) * (UNITS[unit] ?? 1)
}

const SENDER = 'Document Signing <no-reply@countersign.example>'

function invitationMail(
  sandbox: Sandbox,
  invitation: Invitation,
  { organization, by, baseUrl }: InvitationRequest,
): Mail {
  const page = `${baseUrl}/invitations/${invitation.id}`
  const links = { accept: `${page}?answer=accept`, decline: `${page}?answer=decline` }
  const invitee = `${invitation.first_name} ${invitation.last_name}`
  const inviter = `${by.first_name} ${by.last_name}`
  return {
    id: sandbox.uuid('mail'),
    to: invitation.email,
    from: SENDER,
    subject: `${inviter} invites you to join ${organization.name}`,
    text: [
      `Hello ${invitee},`,
      `${inviter} invites you to join the organization ${organization.name} as ${invitation.role}.`,
      `Accept:  ${links.accept}\nDecline: ${links.decline}`,
      'If you do not know the sender, decline or ignore this mail.',
    ].join('\n\n'),
    // Built when read: most mails are never read.
    get html() {
      return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Invitation</title></head>
<body style="margin:0;background:#f3f4f6;font:16px/1.5 system-ui,sans-serif;color:#1f2937;overflow-wrap:anywhere">
<div style="max-width:32rem;margin:2rem auto;padding:2rem;background:#fff;border-radius:.5rem">
<p>Hello <bdi>${invitee}</bdi>,</p>
<p><bdi>${inviter}</bdi> invites you to join the organization <strong><bdi>${organization.name}</bdi></strong> as ${invitation.role}.</p>
<p>
<a href="${links.accept}" style="display:inline-block;padding:.6rem 1.4rem;background:#1d4ed8;color:#fff;border-radius:.4rem;text-decoration:none">Accept</a>
<a href="${links.decline}" style="display:inline-block;padding:.6rem 1.4rem;color:#1f2937">Decline</a>
</p>
<p style="color:#6b7280;font-size:.85rem">If you do not know the sender, decline or ignore this mail.</p>
</div>
</body>
</html>
`.text
    },
    links,
    created_at: sandbox.clock.iso(),
  }
}
