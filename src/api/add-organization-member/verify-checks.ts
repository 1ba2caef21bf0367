import { email } from '../../engine/contract/fields.js'
import { quote } from '../../engine/contract/wording.js'
import type { OperationChecks } from '../../tools/verify/definition.js'
import type { TestedOperation } from '../../tools/verify/tested-operation.js'

const DEFAULT_MEMBER = 'amelie.vestergaard@example.test'
const EMAIL = 'data[0][email]'

async function invite(operation: TestedOperation, form: Readonly<Record<string, string>> = {}, repetition = 0) {
  const answer = await operation.send({ form }, { attempt: repetition })
  const { [EMAIL]: email, 'data[0][organization_id]': organization } = answer.call.form ?? {}
  if (answer.ok) operation.session.leftovers.add(`an invitation of ${email} to organization ${organization}`)
  return answer
}

async function inviteNew(operation: TestedOperation): Promise<void> {
  const { data } = operation.session
  const first = await invite(operation)
  if (!operation.expect(first, 'An invitation of a new member')) return
  const admin = await invite(operation, { [EMAIL]: data.address('admin'), 'data[0][role]': 'Admin' })
  operation.expect(admin, 'An invitation with the role Admin', { cites: ['S6.4'] })
  const again = await invite(operation, {}, 1)
  operation.observeStatus('pendingInvitation', again, { 200: 'resend', 409: 'conflict' })
}

async function inviteMember(operation: TestedOperation): Promise<void> {
  const { contract, session } = operation
  const { member } = session.data.dataFor(contract)
  const memberEmail = typeof member === 'string' ? member : undefined
  const answer = await invite(operation, { [EMAIL]: memberEmail ?? DEFAULT_MEMBER })
  if (answer.ok && memberEmail === undefined && !operation.usesDefaultFixtures) {
    const advice = `Pass a member with --data FILE: { ${contract.id}: { member: … } }.`
    operation.reportUnchecked(`Perhaps ${quote(DEFAULT_MEMBER)} is no member at the provider. ${advice}`)
  } else operation.expect(answer, 'An invitation of an existing member', { status: 409, needsData: true })
}

export const addOrganizationMember: OperationChecks = {
  checks: [
    { cites: ['S6.2', 'S6.3', 'S6.4', 'S6.5'], needs: 'writes', run: inviteNew },
    { cites: ['SE.4'], needs: 'writes', run: inviteMember },
  ],
  data: { member: email({ description: 'Someone who is already a member.' }) },
  // Statuses for an unknown organization (I-07).
  unknownDataStatuses: [400, 404],
  unverifiable: {
    'S6.6': "verify cannot read the provider's mail.",
    'S6.8': 'Answers do not show whether a provider sends anything besides the invitation.',
  },
}
