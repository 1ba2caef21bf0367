import type { Contract } from '../../../schemas/contract.js'
import { successStatusOf } from '../../../schemas/contract.js'
import { linksIn } from '../../validation/deviations.js'
import type { Request } from '../calls/call.js'
import type { Answer } from '../calls/send.js'
import type { OperationChecks } from './check.js'
import { judge } from './judge.js'
import { dataAdvice, isUnknownData, notThere } from './known-data.js'
import { isSuccess, type Session, sendRequest } from './session.js'

/** One recipient's link for a project, and another one's. */
export function linkRequests(
  { values }: Session,
  contract: Contract,
): { readonly one: Request; readonly other: Request } {
  const one = values.complete(contract)
  return { one, other: { ...one, query: { ...one.query, email: values.address('other') } } }
}

/** Asks for a link, and notes that it stays. */
export async function createLink(
  session: Session,
  contract: Contract,
  request: Request,
  again?: number,
): Promise<Answer> {
  const answer = await sendRequest(session, contract, request, { again })
  if (isSuccess(answer))
    session.findings.leaves(`a signing link for ${request.query.email} in project ${request.params.uuid}`)
  return answer
}

/** What the document says of links. */
export const createSigningLink: OperationChecks = [
  {
    cites: ['S7.1', 'S7.4', 'SU.4'],
    needs: 'writes',
    run: async (session, contract) => {
      const { one } = linkRequests(session, contract)
      const answer = await createLink(session, contract, one)
      if (isUnknownData(session, answer)) return notThere(session, answer, ['S7.1', 'S7.4', 'SU.4'])
      const call = "A complete call, without 'user_type'"
      const expected = { status: successStatusOf(contract), cites: ['S7.4', 'SU.4', 'S7.1'], call } as const
      const judged = judge(session, answer, { ...expected, advice: dataAdvice(contract) })
      if (judged && linksIn(answer.body).length > 0) session.findings.holds(['S7.4'], contract.id)
    },
  },
  {
    cites: ['S7.5'],
    needs: 'writes',
    run: async (session, contract) => {
      const { one, other } = linkRequests(session, contract)
      const answers = [
        await createLink(session, contract, one),
        await createLink(session, contract, other),
        await createLink(session, contract, one, 1),
      ]
      const [first, second, again] = answers.map(({ body }) => linksIn(body))
      if (!answers.every(isSuccess) || first?.length === 0)
        return session.findings.unchecked(['S7.5'], contract.id, 'No link was created.')
      // Metadata may hold URLs that all links have.
      if (first?.some((link) => !second?.includes(link)) && first.length === second?.length)
        session.findings.holds(['S7.5'], contract.id)
      else
        session.findings.drifts({
          cites: ['S7.5'],
          operation: contract.id,
          where: 'body',
          message: `Two recipients get the same link.`,
        })
      if (`${first}` !== `${again}`)
        session.findings.differs({
          cites: ['I-11'],
          operation: contract.id,
          where: 'body',
          message: 'The same project and e-mail get a different link each time.',
        })
    },
  },
]
