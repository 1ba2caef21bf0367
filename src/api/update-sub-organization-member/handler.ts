import type { updateSubOrganizationMember as contract } from '../../../schemas/update-sub-organization-member.js'
import type { CallOf, Handler } from '../handler-type.js'
import { canAccessOrganization, firstUserOf, subOrganizationMembers, subOrganizations } from '../records.js'

export const updateSubOrganizationMember: Handler<typeof contract> = {
  handle: (call, reply) => {
    const { params, form, sandbox } = call
    const { subOrganizationUuid, subOrgMemberId } = params
    const subOrganization = sandbox.state.collection(subOrganizations).get(subOrganizationUuid)
    if (subOrganization === undefined) return reply(404, `There is no sub-organization '${subOrganizationUuid}'.`)
    if (!canAccessOrganization(call, subOrganization.organization_id)) {
      return reply(
        403,
        `The sub-organization '${subOrganizationUuid}' does not belong to the organization of the caller.`,
        {
          code: 'foreign-sub-organization',
          where: 'path.subOrganizationUuid',
          fix: 'Send a sub-organization of your organization, or the token of a user of the organization that owns it.',
          cites: ['I-21'],
        },
      )
    }
    const members = sandbox.state.collection(subOrganizationMembers)
    const member = members.get(`${subOrganizationUuid}/${subOrgMemberId}`)
    if (member === undefined) {
      return reply(404, `There is no member '${subOrgMemberId}' in the sub-organization '${subOrganizationUuid}'.`)
    }
    const { id, first_name, last_name, role } =
      Object.keys(form).length === 0 ? member : members.put({ ...member, ...changes(form) })
    return reply(200, {
      status: 'success',
      message: 'Member updated successfully.',
      data: { id, first_name, last_name, role },
    })
  },
  examples: (sandbox) => {
    const { state } = sandbox
    const members = state.collection(subOrganizationMembers).all()
    const organizationOf = (one: (typeof members)[number]) =>
      state.collection(subOrganizations).get(one.sub_organization_uuid)?.organization_id
    const organizationId = firstUserOf(sandbox)?.organization_id
    const member = members.find((one) => organizationOf(one) === organizationId) ?? members[0]
    return { subOrganizationUuid: member?.sub_organization_uuid, subOrgMemberId: member && String(member.id) }
  },
}

function changes({ first_name, last_name, role }: CallOf<typeof contract>['form']) {
  return {
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(role !== undefined && { role }),
  }
}
