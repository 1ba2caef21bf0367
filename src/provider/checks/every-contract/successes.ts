import type { TSchema } from '@sinclair/typebox'
import { type Cite, type Cites, citesOf, isStatement } from '../../../../schemas/cites.js'
import { type Contract, isRead, successStatusOf } from '../../../../schemas/contract.js'
import type { Answer } from '../../calls/send.js'
import type { Check } from '../check.js'
import { type Expectation, judge } from '../judge.js'
import { dataAdvice, isUnknownData, notThere } from '../known-data.js'
import { send } from '../session.js'

/** Each way to send the token, with a call that is to be carried out. */
export function successChecks(contract: Contract): Check[] {
  const status = successStatusOf(contract)
  return contract.tokenHeaders.map((header, at) => {
    const cites: Cites = at === 0 ? ['SA.2', ...sendingCites(contract)] : ['SA.3']
    return {
      cites,
      ...(!isRead(contract) && { needs: 'writes' as const }),
      run: async (session) => {
        const answer = await send(session, contract, undefined, { token: { header, whose: 'user' } })
        if (isUnknownData(session, answer)) return notThere(session, answer, cites)
        const call = at === 0 ? 'A complete call' : `A call with the token in '${header}'`
        judge(session, answer, { status, cites, call, otherwise: emptyOtherwise(answer), advice: dataAdvice(contract) })
      },
    }
  })
}

/** That a form without a field is taken is a reading. */
function emptyOtherwise({ call: { contract, form } }: Answer): Expectation['otherwise'] {
  const empty = form !== null && Object.keys(form).length === 0
  return (status) => (empty && status === contract.invalid ? 'I-10' : undefined)
}

/** What a call that is carried out shows of how calls are sent. */
function sendingCites({ form, query, cites }: Contract): Cite[] {
  const required = (query.required ?? []).flatMap((name) => citesOf(query.properties[name] as TSchema) ?? [])
  return [cites[0], 'S0.1', ...(form === undefined ? [] : (['S0.2'] as const)), ...required.filter(isStatement)]
}
