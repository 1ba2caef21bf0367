import { parse } from 'node:path'
import { type Contract, GATEWAY_STATUSES, gatewayId, outcomeId, statusesOf } from '../../contract/contract.js'
import { didYouMean, quote } from '../../contract/wording.js'
import type { LocatedRule } from '../../files/scenario.js'
import type { ReceivedRequest } from '../../judge/received-request.js'

export interface ReadyRule extends LocatedRule {
  /** Compares a request with the rule's `when`, except for the state. */
  readonly meets: (request: ReceivedRequest) => boolean
}

export interface Scenario {
  readonly name: string
  readonly source: 'shipped' | 'file' | 'defined'
  readonly description: string
  /** The rules of the scenarios that it extends come first. */
  readonly rules: readonly ReadyRule[]
  /** Of files, their versions. */
  readonly stamp?: string
  /** Switches itself off once all of its rules are spent. */
  readonly offWhenSpent?: boolean | undefined
  /** The status that it forces before anything is checked, on all operations if it names none. */
  readonly forces?: { readonly operation?: string; readonly status: number }
}

export const FIRST_STATE = 'Started'

/** Says of a name in a file or an option that there is no such scenario; it may be that of the scenario's file. */
export function noScenario(name: string, names: Iterable<string>): string {
  return `There is no scenario ${quote(name)}.${didYouMean(parse(name).name, names)}`
}

/** The states that the rules of a scenario lead to or ask for. */
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

/** A scenario for each outcome and gateway status, by name. */
export function forcingScenarios(contracts: readonly Contract[]): Map<string, Scenario> {
  const outcomes = contracts.flatMap((one) => statusesOf(one).map((status) => outcomeScenario(one, status)))
  const gateways = GATEWAY_STATUSES.map((status): Scenario => {
    const description = `Every operation: ${status}, with its own outcome if it declares that status, otherwise as a gateway answers.`
    const rules = [{ on: '*' as const, meets: () => true, answer: { status } }]
    return { name: gatewayId(status), source: 'shipped', description, rules, forces: { status } }
  })
  return new Map([...outcomes, ...gateways].map((scenario) => [scenario.name, scenario]))
}

/** Tells whether two scenarios are the same. */
export function textOf({ description, rules }: Scenario): string {
  return JSON.stringify([description, rules])
}
