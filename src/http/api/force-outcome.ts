import { type Contract, GATEWAY_STATUSES, isGatewayStatus, statusesOf } from '../../../schemas/contract.js'
import { Problem } from '../problems.js'
import { type Answer, type Call, NO_VIOLATIONS } from './call.js'
import { sampleAnswer } from './declared-answer.js'

/**
 * The outcome requested by a preference, or by an outcome that is on as a scenario. Its request is not judged.
 * @throws {Problem} for an unknown scenario, and for a status that the operation does not declare
 */
export async function forceOutcome(call: Call): Promise<Answer | undefined> {
  const { world, contract, preferences } = call
  const { code, fault, scenario, applied } = preferences ?? {}
  if (scenario !== undefined) await requireScenario(call, scenario)
  if (code !== undefined) requireDeclared(contract, code)
  if (code !== undefined || fault !== undefined) {
    const why = `asked for by ${applied}`
    return { ...sampleAnswer(call, code), fault, step: 'forceOutcome', cause: 'prefer', why, violations: NO_VIOLATIONS }
  }
  const forced = world.playback.forced(contract.id, scenario)
  if (forced === undefined) return undefined
  forced.spend()
  const { cause, answer } = forced
  const why = `forced by ${cause}`
  return { ...sampleAnswer(call, answer.status), step: 'forceOutcome', cause, why, violations: NO_VIOLATIONS }
}

function requireDeclared(contract: Contract, code: number): void {
  if (code in contract.responses || isGatewayStatus(contract, code)) return
  const declared = statusesOf(contract)
  throw new Problem(
    'undeclared-outcome',
    `${contract.id} does not declare ${code}. It declares ${declared.join(', ')}. Request one of these, or a gateway status: ${GATEWAY_STATUSES.join(', ')}.`,
    { operation: contract.id, declared, gateway: GATEWAY_STATUSES },
  )
}

async function requireScenario({ world: { library } }: Call, name: string): Promise<void> {
  if ((await library.get(name)) !== undefined) return
  throw new Problem('unknown-scenario', library.unknown(name), { scenarios: library.names() })
}
