import { quote } from '../../../text/wording.js'
import { withoutParameter } from '../../calls/call.js'
import type { OperationChecks } from '../check.js'
import { isSuccess, member, send } from '../session.js'

/** What the document says of the messages of errors. */
export const errors: OperationChecks = [
  {
    cites: ['SE.8', 'SE.7'],
    run: async (session, contract) => {
      for (const name of contract.query.required ?? []) {
        const answer = await send(session, contract, (complete) => withoutParameter(complete, name))
        const message = member(answer.body, 'error', 'message')
        if (isSuccess(answer) || typeof message !== 'string') continue
        if (message.includes(name)) session.findings.holds(['SE.8', 'SE.7'], contract.id)
        else
          session.findings.drifts({
            cites: ['SE.8'],
            operation: contract.id,
            where: 'error.message',
            message: `It must name the missing parameter '${name}', not say ${quote(message)}.`,
          })
      }
    },
  },
]
