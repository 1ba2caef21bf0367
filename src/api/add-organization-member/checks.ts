import { email } from '../../engine/contract/fields.js'
import { quote } from '../../engine/contract/wording.js'
import { check, type OperationKnowledge, type TestedOperation } from '../../tools/verify/tested-operation.js'

const DEFAULT_MEMBER = 'amelie.vestergaard@example.test'
const EMAIL = 'data[0][email]'
const ORGANIZATION = 'data[0][organization_id]'

async function invite(on: TestedOperation, form: Readonly<Record<string, string>> = {}, again = 0) {
  const answer = await on.send({ form }, { again })
  const { [EMAIL]: email, [ORGANIZATION]: organization } = answer.call.form ?? {}
  if (answer.ok) on.session.left.add(`an invitation of ${email} to organization ${organization}`)
  return answer
}

async function inviteNew(on: TestedOperation): Promise<void> {
  const { data } = on.session
  if (!on.expect(await invite(on), 'An invitation of a new member', { needsData: true })) return
  const admin = await invite(on, { [EMAIL]: data.address('admin'), 'data[0][role]': 'Admin' })
  on.expect(admin, 'An invitation with the role Admin', { cites: ['S6.4'] })
  const again = await invite(on, {}, 1)
  on.seesStatus('pendingInvitation', again, { 200: 'resend', 409: 'conflict' })
  const organization = data.unknownLike(String(on.complete.form?.[ORGANIZATION]))
  const elsewhere = await invite(on, { [EMAIL]: data.address('nowhere'), [ORGANIZATION]: organization })
  on.seesStatus('unknownInvitationOrganization', elsewhere, { 400: 400, 404: 404 })
}

async function inviteMember(on: TestedOperation): Promise<void> {
  const member = on.session.data.given(on.contract).member as string | undefined
  const answer = await invite(on, { [EMAIL]: member ?? DEFAULT_MEMBER })
  if (answer.ok && member === undefined && !on.isDefault) {
    const advice = `Name one with --data FILE: { ${on.contract.id}: { member: … } }.`
    on.unchecked(`${quote(DEFAULT_MEMBER)} may not be a member there. ${advice}`)
  } else on.expect(answer, 'An invitation of an existing member', { status: 409, needsData: true })
}

export const addOrganizationMember: OperationKnowledge = {
  checks: [check(['S6.2', 'S6.3', 'S6.4', 'S6.5'], inviteNew, 'writes'), check(['SE.4'], inviteMember, 'writes')],
  data: { member: email({ description: 'Someone who is already a member.' }) },
  // An unknown organization (I-07).
  unknownData: [400, 404],
  unverifiable: {
    'S6.6': 'The mail does not arrive here.',
    'S6.8': 'Answers do not show what else a provider sends.',
  },
}
