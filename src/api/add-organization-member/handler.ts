import type { addOrganizationMember as contract } from '../../../schemas/add-organization-member.js'
import type { Handler } from '../handler-type.js'
import { invite } from '../invitations/invitation.js'
import { canAccessOrganization, exampleOrganization, organizations } from '../records.js'

const MAX_LISTED = 10

export const addOrganizationMember: Handler<typeof contract> = {
  handle: (call, reply) => {
    const { form, user, sandbox, switches, baseUrl } = call
    const organizationId = form['data[0][organization_id]']
    const all = sandbox.state.collection(organizations)
    const organization = all.get(organizationId)
    if (organization === undefined || !canAccessOrganization(call, organization.id)) {
      const accessible = all.all().filter(({ id }) => canAccessOrganization(call, id))
      const ids = accessible.slice(0, MAX_LISTED).map(({ id }) => id)
      const message = `The form field 'data[0][organization_id]' is not the id of one of your organizations: '${organizationId}'. Yours: ${ids.join(', ') || 'none'}.`
      return reply(400, message, {
        code: 'unknown-organization',
        where: 'form.data[0][organization_id]',
        fix: "Send the id of one of your organizations: -F 'data[0][organization_id]=ORGANIZATION_ID'",
        cites: ['I-07#An unknown organization', 'I-21'],
      })
    }
    const email = form['data[0][email]']
    const role = form['data[0][role]'].toLowerCase() === 'admin' ? 'Admin' : 'Member'
    const conflict = invite(sandbox, switches.pendingInvitation, {
      organization,
      by: user,
      email,
      first_name: form['data[0][first_name]'],
      last_name: form['data[0][last_name]'],
      role,
      baseUrl: baseUrl(),
    })
    if (conflict !== undefined) return reply(409, conflict)
    return reply(200, { status: 'success', message: `Invitation sent to ${email}.` })
  },
  examples: (sandbox) => ({ 'data[0][organization_id]': exampleOrganization(sandbox)?.id.toString() }),
  canUseValues: ({ 'data[0][organization_id]': id }, caller) =>
    caller.sandbox.state
      .collection(organizations)
      .all()
      .some((one) => String(one.id) === id && canAccessOrganization(caller, one.id)),
}
