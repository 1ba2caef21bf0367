import type { DataComplaint } from '../../contract/complaint.js'
import type { Contract } from '../../contract/contract.js'
import { didYouMean, quote } from '../../contract/wording.js'
import type { FileComplaint } from '../../files/invalid-files.js'
import type { SourceFile } from '../../files/source-file.js'
import { FIRST_STATE, type ReadyRule } from './scenario.js'

/** `own` are the last of `rules`. */
export function warningsFor(
  source: SourceFile,
  rules: readonly ReadyRule[],
  own: readonly ReadyRule[],
  contracts: readonly Contract[],
): Promise<readonly FileComplaint[]> {
  const extended = rules.length - own.length
  const states = [FIRST_STATE, ...rules.flatMap(({ then }) => then ?? [])]
  const warn = (find: (rule: ReadyRule, at: number) => readonly DataComplaint[]) =>
    own.flatMap((rule, at) =>
      find(rule, at).map(({ path, message }) => source.complain(['rules', at, ...path], message)),
    )
  return Promise.all([
    ...warn((rule, at) => neverAnswering(rule, rules.slice(0, extended + at))),
    ...warn((rule) => [...unknownNames(rule, contracts), ...unreachedState(rule, states)]),
  ])
}

const NAMED = {
  query: ['query', 'query parameter'],
  body: ['form', 'field'],
  path: ['params', 'path variable'],
} as const

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

function neverAnswering({ on }: ReadyRule, before: readonly ReadyRule[]): DataComplaint[] {
  const earlier = before.filter(answersAll)
  const operations = on === '*' ? ['*'] : on
  const isAnswered = (operation: string) => earlier.some((one) => one.on === '*' || one.on.includes(operation))
  if (!operations.every(isAnswered)) return []
  const message = 'This rule can never answer: earlier rules answer all its calls. Put it before them, or remove it.'
  return [{ path: [], message }]
}

function answersAll({ times, chance = 1, when = {} }: ReadyRule): boolean {
  return times === undefined && chance >= 1 && Object.keys(when).length === 0
}
