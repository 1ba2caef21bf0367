import { quote } from '../../text/wording.js'
import type { Answer } from '../client.js'
import { isSuccess, type Operation } from '../session.js'
import type { Check } from './check.js'

const EMAIL = 'data[0][email]'
export const ORGANIZATION = 'data[0][organization_id]'

/** Invites someone, and notes that the invitation stays. */
export async function invite(
  on: Operation,
  form: Readonly<Record<string, string>> = {},
  again?: number,
): Promise<Answer> {
  const answer = await on.send({ form }, again === undefined ? {} : { again })
  const { [EMAIL]: email, [ORGANIZATION]: organization } = answer.call.form ?? {}
  if (isSuccess(answer)) on.leaves(`an invitation of ${email} to organization ${organization}`)
  return answer
}

export const addOrganizationMember: readonly Check[] = [
  {
    cites: ['S6.2', 'S6.3', 'S6.4', 'S6.5', 'S6.7'],
    needs: 'writes',
    run: async (on) => {
      const answer = await invite(on)
      const call = 'An invitation of a new member'
      if (!on.expect(answer, { cites: ['S6.2', 'S6.3', 'S6.4', 'S6.5'], call, needsData: true }) || !isSuccess(answer))
        return
      const admin = await invite(on, { [EMAIL]: on.session.values.address('admin'), 'data[0][role]': 'Admin' })
      on.expect(admin, { cites: ['S6.4'], call: 'An invitation with the role Admin' })
    },
  },
  {
    cites: ['SE.4'],
    needs: 'writes',
    async run(on) {
      const { value: member = '', given } = on.session.values.extra(on.contract, 'member')
      const answer = await invite(on, { [EMAIL]: member })
      const expected = { status: 409, cites: this.cites, call: 'An invitation of an existing member', needsData: true }
      // The default world's member belongs to one of its organizations alone.
      if (!isSuccess(answer) || given || on.isDefault) return on.expect(answer, expected)
      const message = `${quote(member)} may not be a member there. Name one with --data FILE: { ${on.contract.id}: { member: … } }.`
      return on.unchecked(this.cites, message)
    },
  },
]
