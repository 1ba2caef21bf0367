import type { createSigningLink as contract } from '../../../schemas/create-signing-link.js'
import { utcText } from '../../engine/contract/time.js'
import type { Handler } from '../handler-type.js'
import { canAccessOrganization, exampleProjectUuid, projects, signingLinkKey, signingLinks, users } from '../records.js'

export const createSigningLink: Handler<typeof contract> = {
  handle: (call, reply) => {
    const { params, query, user, sandbox, baseUrl } = call
    const project = sandbox.state.collection(projects).get(params.uuid)
    const owner = project && sandbox.state.collection(users).get(project.user_uuid)
    const isForeign = owner !== undefined && !canAccessOrganization(call, owner.organization_id)
    if (project === undefined || isForeign) return reply(404, `There is no project '${params.uuid}'.`)
    const links = sandbox.state.collection(signingLinks)
    const link =
      links.findBy('signingLinkKey', signingLinkKey({ project_uuid: project.uuid, email: query.email }))[0] ??
      links.put({
        id: sandbox.uuid('signing link', links),
        project_uuid: project.uuid,
        email: query.email,
        created_at: sandbox.clock.iso(),
        created_by: user.uuid,
      })
    return reply(200, {
      link: `${baseUrl()}/sign/${link.id}`,
      project_uuid: link.project_uuid,
      email: link.email,
      created_at: utcText(link.created_at),
    })
  },
  examples: (sandbox) => ({ uuid: exampleProjectUuid(sandbox) }),
}
