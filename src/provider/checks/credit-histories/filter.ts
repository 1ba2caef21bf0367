import { successStatusOf } from '../../../../schemas/contract.js'
import { withoutParameter } from '../../calls/call.js'
import type { OperationChecks } from '../check.js'
import { judge, judgeBody } from '../judge.js'
import { isSuccess, member, send } from '../session.js'
import { allRecords, isOther, page, pageOf } from './page.js'

/** What the document says of the optional user type. */
export const filter: OperationChecks = [
  {
    cites: ['SU.3'],
    run: async (session, contract) => {
      const without = await send(session, contract, (complete) => withoutParameter(complete, 'user_type'))
      const all = await allRecords(session, contract)
      const types = [...new Set(all.map((one) => member(one, 'user_type')))].filter((one) => typeof one === 'string')
      const status = successStatusOf(contract)
      judge(session, without, { status, cites: ['SU.3'], call: "A call without 'user_type'" })
      for (const type of new Set(['ENTERPRISE_API', ...types.slice(0, 3), 'COUNTERSIGN'])) {
        const answer = await page(session, contract, { user_type: type })
        if (!isSuccess(answer)) {
          judge(session, answer, {
            status,
            cites: ['SU.3'],
            call: `A call with user_type=${type}`,
            otherwise: (other) => (other < 500 && !types.includes(type) ? 'I-04' : undefined),
          })
          continue
        }
        judgeBody(session, answer)
        const { histories } = pageOf(answer)
        const others = histories.filter((one) => isOther(member(one, 'user_type'), type))
        if (others.length === 0) session.findings.holds(['SU.3'], contract.id)
        else
          session.findings.drifts({
            cites: ['SU.3'],
            operation: contract.id,
            where: 'histories[*].user_type',
            message: `A call with user_type=${type} is answered with records of another type.`,
            count: others.length,
            of: histories.length,
          })
      }
    },
  },
]
