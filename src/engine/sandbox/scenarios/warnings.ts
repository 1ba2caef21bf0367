import type { Contract } from '../../contract/contract.js'
import { isObject } from '../../contract/json.js'
import { didYouMean, quote } from '../../contract/wording.js'
import type { FileComplaint } from '../../files/invalid-files.js'
import type { SourceFile } from '../../files/source-file.js'
import type { DataComplaint } from '../../files/validate-source.js'
import { FIRST_STATE, type ReadyRule } from './scenario.js'

/** Notes on rules that can never answer, or never as they are meant; `own` are the last of all `rules` of the scenario. */
export function notesOn(
  source: SourceFile,
  rules: readonly ReadyRule[],
  own: readonly ReadyRule[],
  contracts: readonly Contract[],
): Promise<readonly FileComplaint[]> {
  const before = rules.length - own.length
  const states = [FIRST_STATE, ...rules.flatMap(({ then }) => then ?? [])]
  const notes = [
    ...neverAnswering(rules, before),
    ...own.flatMap((rule, at) =>
      [...unknownNames(rule, contracts), ...strayStatus(rule), ...unreachedState(rule, states)].map(
        ({ path, message }) => ({ path: [at, ...path], message }),
      ),
    ),
  ]
  return Promise.all(notes.map(({ path, message }) => source.complain(['rules', ...path], message)))
}

/** What a rule's `when` calls the parts whose names are all documented, and how messages call one of them. */
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

function strayStatus({ answer: { status, fault } }: ReadyRule): DataComplaint[] {
  if (status === undefined || fault === undefined) return []
  const message = `The connection fails with ${fault}, so no client gets the status ${status}: leave one of the two out.`
  return [{ path: ['answer', 'status'], message }]
}

function unreachedState({ when }: ReadyRule, states: readonly string[]): DataComplaint[] {
  const { state } = when ?? {}
  if (state === undefined || states.includes(state)) return []
  const message = `No rule leads to the state ${quote(state)}.${didYouMean(state, states)} Add 'then: ${state}' to the rule after which it begins.`
  return [{ path: ['when', 'state'], message }]
}

/** Notes on the rules from `first` on that only match calls which earlier rules answer. */
function neverAnswering(rules: readonly ReadyRule[], first: number): DataComplaint[] {
  const texts = rules.map(
    ({ when = {} }) => new Map(Object.entries(when).map(([part, wanted]) => [part, textOf(wanted)])),
  )
  return rules.slice(first).flatMap((rule, at): DataComplaint[] => {
    const own = texts[first + at] as Wanted
    const earlier = rules.slice(0, first + at).filter((one, place) => answersAll(one, texts[place] as Wanted, own))
    const operations = rule.on === '*' ? ['*'] : rule.on
    if (!operations.every((operation) => earlier.some(({ on }) => on === '*' || on.includes(operation)))) return []
    const message = 'This rule can never answer: earlier rules answer all its calls. Put it before them, or remove it.'
    return [{ path: [at], message }]
  })
}

/** The parts of a `when`, each as text: of a thousand rules, half a million pairs are compared. */
type Wanted = ReadonlyMap<string, string>

function textOf(wanted: unknown): string {
  return JSON.stringify(isObject(wanted) ? Object.entries(wanted).sort() : wanted)
}

/** True for a rule that answers all calls that a later one would, of the operations that both have. */
function answersAll({ times, chance = 1 }: ReadyRule, wanted: Wanted, later: Wanted): boolean {
  return times === undefined && chance >= 1 && [...wanted].every(([part, text]) => later.get(part) === text)
}
