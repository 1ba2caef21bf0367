import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../../../schemas/cites.js'
import { isFile } from '../../../../schemas/common.js'
import { type Contract, isRead, refusalStatusOf } from '../../../../schemas/contract.js'
import type { InterpretationId } from '../../../../schemas/interpretations.js'
import { type Request, USER, withoutField, withoutFields } from '../../calls/call.js'
import type { Check } from '../check.js'
import { type Expectation, judge } from '../judge.js'
import { orderOf } from '../known-data.js'
import { isSuccess, type Session } from '../session.js'

/** A call that must be refused: by the operation's invalid status, or as its parameter is. */
export function refusal(
  contract: Contract,
  cites: Cites,
  call: string,
  change: (request: Request) => Request,
  parameter = '',
  { alike = false }: { readonly alike?: boolean } = {},
): Check {
  const status = refusalStatusOf(contract, parameter)
  return {
    cites,
    run: async (session) => {
      const { request, masked } = harmless(session, contract, parameter)
      const sent = change(request)
      const answer = await session.client.send({ contract, token: USER, ...sent })
      if (isSuccess(answer) && !isRead(contract)) session.findings.leaves(leftBy(contract, sent))
      const expected: Expectation = {
        status,
        cites,
        call,
        otherwise: refusedOtherwise(session, contract, parameter, alike),
        ...(masked !== undefined && { masked }),
      }
      judge(session, answer, expected)
    },
  }
}

/** The readings by which another refusal than the contract's is one all the same. */
function refusedOtherwise(session: Session, contract: Contract, parameter: string, alike: boolean) {
  const open = Object.values(contract.responses).some(({ cites }) => cites.includes('S7.6'))
  const masked = !session.allowWrites && !isRead(contract)
  return (status: number): InterpretationId | undefined => {
    if (status < 400) return undefined
    // "4xx or 5xx".
    if (open) return 'I-11'
    if (status >= 500) return undefined
    // The document names no status for the user type.
    if (parameter === 'user_type') return 'I-04'
    if ((masked || alike) && status in contract.responses) return 'I-03'
    return orderOf(session, contract)(status)
  }
}

/** What a provider that carries out what it should refuse leaves behind. */
function leftBy({ id }: Contract, { form, params }: Request): string {
  const values = Object.entries({ ...params, ...form }).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}: ${value}`] : [],
  )
  return `what ${id} did with a call that it should have refused${values.length === 0 ? '' : ` (${values.join(', ')})`}`
}

/**
 * The call that a mistake is put into. Where writes are not allowed it is one that does no harm, should it be carried
 * out: it names a member that does not exist, an address that nobody reads, and brings no signature.
 */
export function harmless(
  { allowWrites, values }: Session,
  contract: Contract,
  parameter: string,
): { readonly request: Request; readonly masked?: string } {
  const complete = values.complete(contract)
  if (allowWrites || isRead(contract)) return { request: complete }
  const [file] = Object.entries<TSchema>(contract.form?.properties ?? {}).find(([, schema]) => isFile(schema)) ?? []
  if (file !== undefined) {
    const masked = parameter === '' ? undefined : `Without --allow-writes, the call has no '${file}' either.`
    return { request: withoutField(complete, file), ...(masked !== undefined && { masked }) }
  }
  if (contract.permission === undefined) return { request: complete }
  const params = Object.fromEntries(
    Object.entries(complete.params).map(([name, value]) => [name, values.unknownLike(value)]),
  )
  return {
    request: { ...withoutFields(complete), params },
    masked: 'Without --allow-writes, the call names a member that does not exist.',
  }
}
