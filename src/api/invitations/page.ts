import type { Page } from '../../engine/api.js'
import { type Html, html } from '../../engine/html.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import { type Invitation, invitations, organizations, users } from '../records.js'
import { respondToInvitation } from './invitation.js'

/** The page that an invitation mail leads to. GET changes nothing. */
export const invitationPage: Page = {
  path: '/invitations/:id',
  title: 'Invitation',
  recordNoun: 'invitation',
  actions: ['accept', 'decline'],
  show: (sandbox, id, linkPrefix) => {
    const invitation = sandbox.state.collection(invitations).get(id)
    return invitation && body(sandbox, invitation, linkPrefix)
  },
  act: (sandbox, id, action) => {
    respondToInvitation(sandbox, id, action as 'accept' | 'decline')
  },
}

function body(sandbox: Sandbox, invitation: Invitation, linkPrefix: string): Html {
  const { state } = sandbox
  const organization = state.collection(organizations).get(invitation.organization_id)?.name ?? 'an organization'
  const inviter = state.collection(users).get(invitation.invited_by ?? '')
  const from = inviter === undefined ? organization : `${inviter.first_name} ${inviter.last_name}`
  return html`<h1>Invitation to <bdi>${organization}</bdi></h1>
<p><bdi>${from}</bdi> invites you to join <strong><bdi>${organization}</bdi></strong>.</p>
<dl>
<dt>Name</dt><dd><bdi>${invitation.first_name} ${invitation.last_name}</bdi></dd>
<dt>E-mail</dt><dd><bdi>${invitation.email}</bdi></dd>
<dt>Role</dt><dd>${invitation.role}</dd>
</dl>
${statusSections[invitation.status](`${linkPrefix}${invitation.id}`)}`
}

const statusSections: { readonly [S in Invitation['status']]: (address: string) => Html } = {
  pending: (address) => html`<div class="actions">
<form method="post" action="${address}/accept"><button class="go">Accept</button></form>
<form method="post" action="${address}/decline"><button>Decline</button></form>
</div>`,
  accepted: () => html`<p class="done" role="status">Accepted. You are now a member.</p>`,
  declined: () => html`<p class="over" role="status">Declined. Nothing else will happen.</p>`,
}
