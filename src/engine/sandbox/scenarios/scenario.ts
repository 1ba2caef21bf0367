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

export function forcingScenarios(contracts: readonly Contract[]): Map<string, Scenario> {
  const all = new Map<string, Scenario>()
  const add = (name: string, description: string, on: ReadyRule['on'], forces: NonNullable<Scenario['forces']>) => {
    const rules = [{ on, meets: () => true, answer: { status: forces.status } }]
    all.set(name, { name, source: 'shipped', description, rules, forces })
  }
  for (const contract of contracts)
    for (const status of statusesOf(contract)) {
      const description = `${contract.summary}: ${status}. ${contract.responses[status]?.description ?? ''}`
      add(outcomeId(contract, status), description, [contract.id], { operation: contract.id, status })
    }
  for (const status of GATEWAY_STATUSES) {
    const description = `Every operation: ${status}, with its own outcome if it declares that status, otherwise as a gateway answers.`
    add(gatewayId(status), description, '*', { status })
  }
  return all
}

export function textOf({ description, rules }: Scenario): string {
  return JSON.stringify([description, rules])
}
