import type { TSchema } from '@sinclair/typebox'
import { citesOf, isStatement, joinedCites } from '../../../../schemas/cites.js'
import { type Contract, isRead } from '../../../../schemas/contract.js'
import type { InterpretationId } from '../../../../schemas/interpretations.js'
import { type Request, USER, withoutField } from '../../calls/call.js'
import type { Check } from '../check.js'
import { judge } from '../judge.js'
import { isSuccess } from '../session.js'

/** Each path variable, and so all after it, with an identifier that nothing has. */
export function unknownIdChecks(contract: Contract): Check[] {
  const names = Object.keys(contract.params.properties)
  const answer = contract.responses[404]
  if (names.length === 0 || answer === undefined) return []
  const documented = answer.provenance !== 'assumed'
  return names.map((name, at) => {
    const own = citesOf(contract.params.properties[name] as TSchema) ?? []
    const cites = joinedCites(own.filter(isStatement), answer.cites.filter(isStatement))
    return {
      cites,
      run: async (session) => {
        const complete = session.values.complete(contract)
        const params = Object.fromEntries(
          Object.entries(complete.params).map(([one, value], nth) => [
            one,
            nth >= at ? session.values.unknownLike(value) : value,
          ]),
        )
        const request = { ...withoutOptional(contract, complete), params }
        const found = await session.client.send({ contract, token: USER, ...request })
        const otherwise = (status: number): InterpretationId | undefined =>
          documented || status < 400 ? undefined : 'I-11'
        if (isSuccess(found) && !isRead(contract))
          session.findings.leaves(`what ${contract.id} did for an unknown ${name}`)
        judge(session, found, { status: 404, cites, call: `A call with an unknown '${name}'`, otherwise })
      },
    }
  })
}

/** What is not there cannot be changed: only what must be sent is. */
function withoutOptional(contract: Contract, request: Request): Request {
  const { properties = {}, required = [] } = contract.form ?? {}
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return optional.reduce(withoutField, request)
}
