import type { AdminRoutes } from '../../engine/api.js'
import { quote } from '../../engine/contract/wording.js'
import { pathParam } from '../../engine/http/path-param.js'
import { Problem } from '../../engine/http/problems.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import { type Invitation, invitations } from '../records.js'
import { acceptDueInvitations, respondToInvitation } from './invitation.js'

export const invitationRoutes: AdminRoutes = (routes, { sandboxOf }) => {
  routes.get('/invitations', (request) => {
    const sandbox = sandboxOf(request)
    acceptDueInvitations(sandbox)
    return sandbox.state.readAndSave(() => ({
      invitations: sandbox.state.collection(invitations).all().map(invitationView),
    }))
  })
  for (const event of ['accept', 'decline'] as const) {
    routes.post(`/invitations/:id/${event}`, async (request) => {
      const sandbox = sandboxOf(request)
      const id = pathParam(request, 'id')
      const answered = respondToInvitation(sandbox, id, event)
      await sandbox.state.save()
      if (answered === undefined) throw cannotRespond(sandbox, id)
      return invitationView(answered)
    })
  }
}

function cannotRespond(sandbox: Sandbox, id: string): Problem {
  const status = sandbox.state.collection(invitations).get(id)?.status
  if (status === undefined)
    return new Problem('not-found', `There is no invitation ${quote(id)}. GET /__admin/invitations lists them.`)
  const message = `The invitation is already ${status}. Only a pending invitation can be accepted or declined.`
  return new Problem('conflict', message, { invitation: status })
}

function invitationView({ id, email, first_name, last_name, role, organization_id, status, created_at }: Invitation) {
  return { id, email, first_name, last_name, role, organization_id, status, created_at }
}
