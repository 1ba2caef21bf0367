import { parse } from 'node:path'
import { type Contract, GATEWAY_STATUSES, gatewayId, outcomeId, statusesOf } from '../../contract/contract.js'
import { didYouMean, quote } from '../../contract/wording.js'
import type { LocatedRule } from '../../files/scenario.js'
import type { ReceivedRequest } from '../../judge/received-request.js'

export interface ReadyRule extends LocatedRule {
  /** Ignores the state. */
  readonly meets: (request: ReceivedRequest) => boolean
}

export interface Scenario {
  readonly name: string
  readonly source: 'shipped' | 'file' | 'defined'
  readonly description: string
  /** Extended scenarios first. */
  readonly rules: readonly ReadyRule[]
  readonly stamp?: string
  /** Switches itself off after its last rule. */
  readonly offWhenSpent?: boolean | undefined
  /** Forces a status before all checks, for all operations by default. */
  readonly forces?: { readonly operation?: string; readonly status: number }
}

export const FIRST_STATE = 'Started'

export function noScenario(name: string, names: Iterable<string>): string {
  return `There is no scenario ${quote(name)}.${didYouMean(parse(name).name, names)}`
}

export function statesOf(rules: readonly ReadyRule[]): readonly string[] {
  return [...new Set([FIRST_STATE, ...rules.flatMap(({ then, when }) => [then ?? [], when?.state ?? []].flat())])]
}

function outcomeScenario(contract: Contract, status: number): Scenario {
  return {
    name: outcomeId(contract, status),
    source: 'shipped',
    description: `${contract.summary}: ${status}. ${contract.responses[status]?.description ?? ''}`,
    rules: [{ on: [contract.id], meets: () => true, answer: { status } }],
    forces: { operation: contract.id, status },
  }
}

export function forcingScenarios(contracts: readonly Contract[]): Map<string, Scenario> {
  const outcomes = contracts.flatMap((one) => statusesOf(one).map((status) => outcomeScenario(one, status)))
  const gateways = GATEWAY_STATUSES.map((status): Scenario => {
    const description = `Every operation: ${status}, with its own outcome if it declares that status, otherwise as a gateway answers.`
    const rules = [{ on: '*' as const, meets: () => true, answer: { status } }]
    return { name: gatewayId(status), source: 'shipped', description, rules, forces: { status } }
  })
  return new Map([...outcomes, ...gateways].map((scenario) => [scenario.name, scenario]))
}

export function textOf({ description, rules }: Scenario): string {
  return JSON.stringify([description, rules])
}
