import type { DataComplaint } from '../../contract/complaint.js'
import type { Contract } from '../../contract/contract.js'
import { didYouMean, quote } from '../../contract/wording.js'
import type { FileComplaint } from '../../files/invalid-files.js'
import type { SourceFile } from '../../files/source-file.js'
import { FIRST_STATE, type ReadyRule } from './scenario.js'

/** Warns about rules that can never answer. `own` are the last of `rules`. */
export function warningsFor(
  source: SourceFile,
  rules: readonly ReadyRule[],
  own: readonly ReadyRule[],
  contracts: readonly Contract[],
): Promise<readonly FileComplaint[]> {
  const before = rules.length - own.length
  const states = [FIRST_STATE, ...rules.flatMap(({ then }) => then ?? [])]
  const warnings = [
    ...neverAnswering(rules, before),
    ...own.flatMap((rule, at) =>
      [...unknownNames(rule, contracts), ...unreachedState(rule, states)].map(({ path, message }) => ({
        path: [at, ...path],
        message,
      })),
    ),
  ]
  return Promise.all(warnings.map(({ path, message }) => source.complain(['rules', ...path], message)))
}

/** Parts of `when` whose names are all documented, with their names in messages. */
const NAMED = { body: ['form', 'field'], path: ['params', 'path variable'] } as const

function unknownNames({ on, when = {} }: ReadyRule, contracts: readonly Contract[]): DataComplaint[] {
  const called = contracts.filter(({ id }) => on === '*' || on.includes(id))
  return Object.entries(NAMED).flatMap(([words, [part, word]]) => {
    const known = [...new Set(called.flatMap((contract) => Object.keys(contract[part]?.properties ?? {})))]
    const none = on === '*' ? `No operation has a ${word}` : `${on.join(' or ')} has no ${word}`
    return Object.keys(when[words as keyof typeof NAMED] ?? {})
      .filter((name) => !known.includes(name))
      .map((name) => ({ path: ['when', words, name], message: `${none} ${quote(name)}.${didYouMean(name, known)}` }))
  })
}

function unreachedState({ when }: ReadyRule, states: readonly string[]): DataComplaint[] {
  const { state } = when ?? {}
  if (state === undefined || states.includes(state)) return []
  const message = `No rule leads to the state ${quote(state)}.${didYouMean(state, states)} Add 'then: ${state}' to the rule after which it begins.`
  return [{ path: ['when', 'state'], message }]
}

/** Rules, from `first` on, behind one that answers every call. */
function neverAnswering(rules: readonly ReadyRule[], first: number): DataComplaint[] {
  return rules.slice(first).flatMap((rule, at): DataComplaint[] => {
    const earlier = rules.slice(0, first + at).filter(answersAll)
    const operations = rule.on === '*' ? ['*'] : rule.on
    if (!operations.every((operation) => earlier.some(({ on }) => on === '*' || on.includes(operation)))) return []
    const message = 'This rule can never answer: earlier rules answer all its calls. Put it before them, or remove it.'
    return [{ path: [at], message }]
  })
}

function answersAll({ times, chance = 1, when = {} }: ReadyRule): boolean {
  return times === undefined && chance >= 1 && Object.keys(when).length === 0
}
