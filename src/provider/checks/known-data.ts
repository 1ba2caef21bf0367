import type { Cites } from '../../../schemas/cites.js'
import type { Contract } from '../../../schemas/contract.js'
import type { InterpretationId } from '../../../schemas/interpretations.js'
import type { Request } from '../calls/call.js'
import type { Answer } from '../calls/send.js'
import type { Session } from './session.js'

/** Whether a call may have failed because the examples of the contracts name nothing at this provider. */
export function isUnknownData(session: Session, { status, call: { contract } }: Answer): boolean {
  const statuses = UNKNOWN[contract.id] ?? [404, 422].filter((one) => one in contract.responses)
  return statuses.includes(status) && !session.isKnown(contract)
}

/** Statuses of what is unknown where they are a reading: an organization that nobody can be invited into (I-07). */
const UNKNOWN: Readonly<Record<string, readonly number[]>> = { addOrganizationMember: [400, 404] }

/** Notes that nothing is known of some statements, since a call may have named what is not there. */
export function notThere({ findings }: Session, answer: Answer, cites: Cites): void {
  const { contract, ...call } = answer.call
  const message = `Answered with ${answer.status}: ${namesIn(call)} may not exist at the provider. ${dataAdvice(contract)}`
  findings.unchecked(cites, contract.id, message)
}

function namesIn({ params, query, form }: Request): string {
  const { user_type: _, ...named } = { ...params, ...query, ...form }
  return `the named data (${Object.keys(named).join(', ')})`
}

/** How to name what exists at a provider. */
export function dataAdvice(contract: Contract): string {
  const parts = (['params', 'query', 'form'] as const).filter(
    (part) => Object.keys(contract[part]?.properties ?? {}).length > 0,
  )
  return `Name data that exists there with --data FILE: { ${contract.id}: { ${parts.map((part) => `${part}: {…}`).join(', ')} } }.`
}

/** Which status another mistake of a call may get first, where it names what may not be there: the order is I-03. */
export function orderOf(session: Session, contract: Contract): (status: number) => InterpretationId | undefined {
  return (status) => (status === 404 && 404 in contract.responses && !session.isKnown(contract) ? 'I-03' : undefined)
}
