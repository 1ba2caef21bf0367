import { withoutParameter } from '../../calls/call.js'
import type { OperationChecks } from '../check.js'
import { isSuccess, member, send } from '../session.js'

/** `The per page field is required.` names `per_page`. */
const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/** What the document says of the messages of errors. */
export const errors: OperationChecks = [
  {
    cites: ['SE.8', 'SE.7'],
    run: async (session, contract) => {
      for (const name of contract.query.required ?? []) {
        const answer = await send(session, contract, (complete) => withoutParameter(complete, name))
        const message = member(answer.body, 'error', 'message')
        if (isSuccess(answer) || typeof message !== 'string') continue
        if (plain(message).includes(plain(name))) session.findings.holds(['SE.8', 'SE.7'], contract.id)
        else
          session.findings.drifts({
            cites: ['SE.8'],
            operation: contract.id,
            where: 'error.message',
            message: `It must name the missing parameter '${name}', but does not.`,
          })
      }
    },
  },
]
