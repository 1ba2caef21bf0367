import { parse } from 'node:path'
import { type Contract, GATEWAY_STATUSES, gatewayId, outcomeId, statusesOf } from '../../contract/contract.js'
import { didYouMean, quote } from '../../contract/wording.js'
import type { Delay, FieldMatcher, LocatedRule } from '../../files/scenario.js'
import type { ReceivedRequest } from '../../judge/received-request.js'

export interface CompiledRule extends LocatedRule {
  /** Does not check the state of the scenario. */
  readonly matches: (request: ReceivedRequest) => boolean
}

export interface Scenario {
  readonly name: string
  readonly source: 'shipped' | 'file' | 'defined'
  readonly description: string
  readonly rules: readonly CompiledRule[]
  readonly offWhenSpent?: boolean | undefined
  /** The status is forced before all checks; without `operation`, for all operations. */
  readonly forces?: { readonly operation?: string; readonly status: number }
}

export const FIRST_STATE = 'Started'

export function describeUnknownScenario(name: string, names: Iterable<string>): string {
  return `There is no scenario ${quote(name)}.${didYouMean(parse(name).name, names)}`
}

export function statesOf(rules: readonly CompiledRule[]): readonly string[] {
  return [...new Set([FIRST_STATE, ...rules.flatMap(({ then, when }) => [then ?? [], when?.state ?? []].flat())])]
}

export function createOutcomeScenarios(contracts: readonly Contract[]): Map<string, Scenario> {
  const all = new Map<string, Scenario>()
  const add = (name: string, description: string, on: CompiledRule['on'], forces: NonNullable<Scenario['forces']>) => {
    const rules = [{ on, matches: () => true, answer: { status: forces.status } }]
    all.set(name, { name, source: 'shipped', description, rules, forces })
  }
  for (const contract of contracts)
    for (const status of statusesOf(contract)) {
      const description = `${contract.summary}: ${status}. ${contract.responses[status]?.description ?? ''}`
      add(outcomeId(contract, status), description, [contract.id], { operation: contract.id, status })
    }
  for (const status of GATEWAY_STATUSES) {
    const description = `Every operation answers ${status}: as documented where it is declared, otherwise like a gateway.`
    add(gatewayId(status), description, '*', { status })
  }
  return all
}

export function isSameDefinition(one: Scenario, other: Scenario): boolean {
  const [left, right] = [one, other].map(({ description, rules }) => JSON.stringify([description, rules]))
  return left === right
}

export function describeRule({ on, times, when = {}, chance = 1, answer, then }: CompiledRule): string {
  const { status, body, headers, delay, dribble, fault, effect } = answer
  const which = times === undefined ? 'Calls' : times === 1 ? 'First call' : `First ${times} calls`
  const calls = on === '*' ? 'any operation' : on.join(' or ')
  const odds = chance === 1 ? '' : `, ${Math.round(chance * 1000) / 10} % of these calls (repeatable by the seed)`
  const pieces = dribble === undefined ? '' : `, in ${dribble.chunks} pieces over ${duration(dribble.duration)}`
  const late = `${delay === undefined ? '' : `, after ${duration(delay)}`}${pieces}`
  const extra = headers === undefined ? '' : `, with the headers ${Object.keys(headers).join(', ')}`
  const before = effect === 'after' ? 'the operation takes place, but then ' : ''
  const withBody = body === undefined ? '' : " with the rule's body"
  const what =
    fault !== undefined
      ? `${before}the connection fails with ${fault}${late}`
      : status === undefined && body === undefined
        ? `answered as usual${late}${extra}`
        : `${before}the answer is ${status ?? 'a success'}${withBody}${late}${extra}`
  const after = then === undefined ? '' : ` Then the scenario is in the state '${then}'.`
  return `${which} of ${calls}${conditions(when)}${odds}: ${what}.${after}`
}

function conditions({ state, token, ...parts }: NonNullable<CompiledRule['when']>): string {
  const all = [
    ...(state === undefined ? [] : [`the scenario is in the state '${state}'`]),
    ...(token === undefined ? [] : [`the token ${describeMatcher(token)}`]),
    ...Object.entries(parts).flatMap(([part, matchers]) =>
      Object.entries(matchers).map(([name, matcher]) => `${part} ${name} ${describeMatcher(matcher)}`),
    ),
  ]
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`
}

function describeMatcher(matcher: FieldMatcher): string {
  const conditions = Object.entries(typeof matcher === 'object' ? matcher : { equals: matcher })
  const texts = conditions.map(([name, value]) => {
    if (name === 'absent') return `is ${value ? 'absent' : 'present'}`
    return `${name} ${typeof value === 'object' ? describeMatcher(value) : `'${value}'`}`
  })
  return texts.join(' and ')
}

function duration(delay: Delay): string {
  if (typeof delay === 'number') return delay < 1_000 ? `${delay} ms` : `${delay / 1_000} s`
  if ('uniform' in delay) return `${delay.uniform.lower} to ${delay.uniform.upper} ms`
  return `about ${delay.lognormal.median} ms (log-normal, sigma ${delay.lognormal.sigma})`
}
