import type { Invitation } from '../../../schemas/fixtures.js'
import { acceptDueInvitations, respondToInvitation } from '../../operations/invitation.js'
import { didYouMean, quote } from '../../text/wording.js'
import type { World } from '../../world/world.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

export const invitations: Resource = (routes) => {
  routes.get('/invitations', (request) => {
    const { world } = request
    acceptDueInvitations(world)
    return world.state.stored(() => ({
      invitations: world.state.collection('invitations').all().map(invitationView),
    }))
  })
  for (const event of ['accept', 'decline'] as const) {
    routes.post(`/invitations/:id/${event}`, async (request) => {
      const { world } = request
      const { id } = request.params as { id: string }
      const answered = respondToInvitation(world, id, event)
      await world.state.save()
      if (answered === undefined) throw refused(world, id, event)
      return invitationView(answered)
    })
  }
}

function refused(world: World, id: string, event: string): Problem {
  const invitations = world.state.collection('invitations')
  const status = invitations.get(id)?.status
  if (status === undefined) {
    const known = invitations.all().map((one) => one.id)
    return new Problem(
      'not-found',
      `There is no invitation ${quote(id)}.${didYouMean(id, known)} GET /__admin/invitations lists them.`,
    )
  }
  return new Problem(
    'conflict',
    status === 'accepted'
      ? 'The invitation is already accepted.'
      : `The invitation is already ${status}, so it cannot be answered with ${event}. Send a new invitation.`,
    { invitation: status },
  )
}

function invitationView({ id, email, first_name, last_name, role, organization_id, status, created_at }: Invitation) {
  return { id, email, first_name, last_name, role, organization_id, status, created_at }
}
