import type { Rule } from '../../../engine/files/scenario.js'
import type { ScenarioView } from '../../../engine/http/admin/scenarios.js'
import { callAdmin } from './admin.js'
import { offerUndo } from './parts/edits.js'
import { pluralize } from './parts/texts.js'

type RuleView = ScenarioView['rules'][number]

/** `active`: in the order in which they were switched on. */
export interface ScenarioList {
  readonly scenarios: readonly ScenarioView[]
  readonly meta: { readonly active: readonly string[] }
}

export function scenarioPath(name: string): string {
  return `scenarios/${encodeURIComponent(name)}`
}

export function switchScenario(name: string, active: boolean): Promise<void> {
  return callAdmin('PUT', scenarioPath(name), { active })
}

/** `instead`: the scenario that now answers; undoing switches it off. */
export async function switchOff(names: readonly string[], instead?: string): Promise<void> {
  const switchAll = async (on: boolean) => {
    for (const name of names) await switchScenario(name, on)
  }
  await switchAll(false)
  const what = names.length === 1 ? names[0] : pluralize(names.length, 'scenario')
  const message = `${what} off${instead === undefined ? '' : `: ${instead} answers`}`
  const undo = async () => {
    if (instead !== undefined) await switchScenario(instead, false)
    await switchAll(true)
  }
  if (names.length > 0) offerUndo({ message, undo })
}

export function answerName(operation: string): string {
  return `answer-${operation}`
}

export async function answerCalls(operation: string, rule: Rule): Promise<void> {
  const path = scenarioPath(answerName(operation))
  const description = `Answers ${rule.times === undefined ? 'all calls' : pluralize(rule.times, 'call')} of ${operation}.`
  await callAdmin('PUT', path, { description, rules: [rule], active: true, offWhenSpent: true })
  await callAdmin('POST', `${path}/reset`)
}

export function isOutcome(name: string): boolean {
  return /:\d{3}$/.test(name)
}

export function operationIn(outcome: string): string {
  return outcome.replace(/:\d+$/, '')
}

export function statusOf(outcome: string): number {
  return Number(/\d+$/.exec(outcome)?.[0])
}

/** `gateway` counts as an operation: its outcomes are the gateway statuses. */
export function outcomesOf(operation: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => isOutcome(name) && operationIn(name) === operation)
}

export function operationsIn(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter(isOutcome).map(operationIn))].filter((one) => one !== 'gateway')
}

function isSpent({ times = Number.POSITIVE_INFINITY, answered }: RuleView): boolean {
  return answered >= times
}

export function isAllSpent({ active, rules }: ScenarioView): boolean {
  return active && rules.length > 0 && rules.every(isSpent)
}

export function callsLeft(rule: RuleView): string {
  const { times, answered } = rule
  if (times === undefined) return `all calls, ${answered} so far`
  return isSpent(rule) ? 'spent' : `${times - answered} of ${times} left`
}
