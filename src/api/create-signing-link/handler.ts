import type { createSigningLink as contract } from '../../../schemas/create-signing-link.js'
import { recipient } from '../../engine/files/collections.js'
import { canAccessOrganization, type HandlerCall, type Handling } from '../../engine/operation.js'
import type { Project } from '../records.js'

export const createSigningLink: Handling<typeof contract> = {
  handle: (call, reply) => {
    const { params, query, user, sandbox, baseUrl } = call
    const project = sandbox.state.collection('projects').get(params.uuid)
    if (project === undefined || !reachesProject(call, project))
      return reply(404, `There is no project '${params.uuid}'.`)
    const links = sandbox.state.collection('signing_links')
    const link =
      links.lookUp(recipient({ project_uuid: project.uuid, email: query.email }))[0] ??
      links.put({
        id: sandbox.uuid('signing link', links),
        project_uuid: project.uuid,
        email: query.email,
        created_at: sandbox.clock.iso(),
        created_by: user.uuid,
      })
    return reply(200, {
      link: `${baseUrl}/sign/${link.id}`,
      project_uuid: link.project_uuid,
      email: link.email,
      created_at: sandbox.timestamp(link.created_at),
    })
  },
  examples: ({ state, firstUser }) => {
    const projects = state.collection('projects').all()
    return { uuid: projects.find(({ user_uuid }) => user_uuid === firstUser?.uuid)?.uuid }
  },
}

function reachesProject(call: HandlerCall<typeof contract>, { user_uuid }: Project): boolean {
  const owner = call.sandbox.state.collection('users').get(user_uuid)
  return owner === undefined || canAccessOrganization(call, owner.organization_id)
}
