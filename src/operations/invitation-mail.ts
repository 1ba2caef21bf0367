import type { Invitation, RecordOf, User } from '../../schemas/fixtures.js'
import { html } from '../text/html.js'
import type { Mail } from '../world/mail/outbox.js'

const SENDER = 'Document Signing <no-reply@countersign.example>'

interface Invited {
  readonly invitation: Invitation
  readonly organization: RecordOf<'organizations'>
  readonly by: User
  readonly baseUrl: string
}

export function invitationMail({ invitation, organization, by, baseUrl }: Invited): Mail {
  const page = `${baseUrl}/invitations/${invitation.id}`
  const links = { accept: `${page}?answer=accept`, decline: `${page}?answer=decline` }
  const invitee = `${invitation.first_name} ${invitation.last_name}`
  const host = `${by.first_name} ${by.last_name}`
  return {
    to: invitation.email,
    from: SENDER,
    subject: `${host} invites you to join ${organization.name}`,
    text: [
      `Hello ${invitee},`,
      `${host} invites you to join the organization ${organization.name} as ${invitation.role}.`,
      `Accept:  ${links.accept}\nDecline: ${links.decline}`,
      'If you do not know the sender, decline or ignore this mail.',
    ].join('\n\n'),
    html: htmlBody(invitee, host, organization.name, invitation.role, links),
    links,
  }
}

function htmlBody(invitee: string, host: string, organization: string, role: string, links: Mail['links']): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Invitation</title></head>
<body style="margin:0;background:#f3f4f6;font:16px/1.5 system-ui,sans-serif;color:#1f2937;overflow-wrap:anywhere">
<div style="max-width:32rem;margin:2rem auto;padding:2rem;background:#fff;border-radius:.5rem">
<p>Hello <bdi>${invitee}</bdi>,</p>
<p><bdi>${host}</bdi> invites you to join the organization <strong><bdi>${organization}</bdi></strong> as ${role}.</p>
<p>
<a href="${links.accept}" style="display:inline-block;padding:.6rem 1.4rem;background:#1d4ed8;color:#fff;border-radius:.4rem;text-decoration:none">Accept</a>
<a href="${links.decline}" style="display:inline-block;padding:.6rem 1.4rem;color:#1f2937">Decline</a>
</p>
<p style="color:#6b7280;font-size:.85rem">If you do not know the sender, decline or ignore this mail.</p>
</div>
</body>
</html>
`.text
}
