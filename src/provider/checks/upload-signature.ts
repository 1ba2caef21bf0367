import type { Cites } from '../../../schemas/cites.js'
import { successStatusOf } from '../../../schemas/contract.js'
import { sample } from '../calls/values.js'
import type { OperationChecks } from './check.js'
import { judge } from './judge.js'
import { isSuccess, send } from './session.js'

const OPTIONAL: Cites = ['S1.4', 'S1.5', 'S1.6']

/** What the document says of a signature's image and of what may be said about it. */
export const uploadSignature: OperationChecks = [
  {
    cites: ['S1.2', 'S1.3', 'S1.7', ...OPTIONAL],
    needs: 'writes',
    run: async (session, contract) => {
      const status = successStatusOf(contract)
      const alone = await send(session, contract)
      const whole = await send(session, contract, (complete) => ({
        ...complete,
        form: { ...complete.form, ...sample(contract.form) },
      }))
      if (isSuccess(alone) || isSuccess(whole)) session.findings.leaves('a signature image: the sample file')
      // An image that is taken with all that may be said about it is refused for what was not said.
      const cites: Cites = isSuccess(whole) ? OPTIONAL : ['S1.2', 'S1.3']
      if (isSuccess(alone)) session.findings.holds(['S1.2', 'S1.3'], contract.id)
      judge(session, alone, { status, cites, call: 'A call with only a PNG image' })
      judge(session, whole, { status, cites: OPTIONAL, call: 'A call with source, uuid and type' })
    },
  },
]
