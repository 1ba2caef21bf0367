import type { Contract } from '../../../schemas/contract.js'
import { successStatusOf } from '../../../schemas/contract.js'
import { quote } from '../../text/wording.js'
import type { Request } from '../calls/call.js'
import type { Answer } from '../calls/send.js'
import type { OperationChecks } from './check.js'
import { judge } from './judge.js'
import { dataAdvice, isUnknownData, notThere } from './known-data.js'
import { isSuccess, type Session, sendRequest } from './session.js'

export const EMAIL = 'data[0][email]'
const ROLE = 'data[0][role]'
export const ORGANIZATION = 'data[0][organization_id]'

/** Invites someone, and notes that the invitation stays. */
export async function invite(session: Session, contract: Contract, request: Request, again?: number): Promise<Answer> {
  const answer = await sendRequest(session, contract, request, { again })
  const { [EMAIL]: email, [ORGANIZATION]: organization } = request.form ?? {}
  if (isSuccess(answer)) session.findings.leaves(`an invitation of ${email} to organization ${organization}`)
  return answer
}

/** What the document says of who can be invited. */
export const addOrganizationMember: OperationChecks = [
  {
    cites: ['S6.2', 'S6.3', 'S6.4', 'S6.5', 'S6.7'],
    needs: 'writes',
    run: async (session, contract) => {
      const answer = await invite(session, contract, session.values.complete(contract))
      if (isUnknownData(session, answer)) return notThere(session, answer, ['S6.2', 'S6.3', 'S6.4', 'S6.5', 'S6.7'])
      judge(session, answer, {
        status: successStatusOf(contract),
        cites: ['S6.2', 'S6.3', 'S6.4', 'S6.5'],
        call: 'An invitation of a new member',
        advice: dataAdvice(contract),
      })
    },
  },
  {
    cites: ['S6.4'],
    needs: 'writes',
    run: async (session, contract) => {
      const first = await invite(session, contract, session.values.complete(contract))
      if (!isSuccess(first)) return
      const complete = session.values.complete(contract)
      const request = {
        ...complete,
        form: { ...complete.form, [EMAIL]: session.values.address('admin'), [ROLE]: 'Admin' },
      }
      const answer = await invite(session, contract, request)
      judge(session, answer, {
        status: successStatusOf(contract),
        cites: ['S6.4'],
        call: 'An invitation with the role Admin',
      })
    },
  },
  {
    cites: ['SE.4'],
    needs: 'writes',
    run: async (session, contract) => {
      const { value: member = '', given } = session.values.extra(contract, 'member')
      const complete = session.values.complete(contract)
      const request = { ...complete, form: { ...complete.form, [EMAIL]: member } }
      const answer = await invite(session, contract, request)
      if (isUnknownData(session, answer)) return notThere(session, answer, ['SE.4'])
      // The default world's member is one of its own organization alone.
      if (isSuccess(answer) && !given && !session.isDefault(contract)) {
        const message = `${quote(member)} may not be a member there. Name one with --data FILE: { ${contract.id}: { member: … } }.`
        return session.findings.unchecked(['SE.4'], contract.id, message)
      }
      judge(session, answer, { status: 409, cites: ['SE.4'], call: 'An invitation of an existing member' })
    },
  },
]
