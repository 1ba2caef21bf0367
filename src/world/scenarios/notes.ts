import { isDeepStrictEqual } from 'node:util'
import type { Contract } from '../../../schemas/contract.js'
import type { FileComplaint } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { FIRST_STATE, type ReadyRule } from './scenario.js'

interface Note {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What is odd about a file's own rules, which come last of all rules of its scenario. */
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
  return Promise.all(notes.map(({ path, message }) => source.complain('rule', ['rules', ...path], message)))
}

function unknownNames({ on, when }: ReadyRule, contracts: readonly Contract[]): Note[] {
  const called = contracts.filter(({ id }) => on === '*' || on.includes(id))
  const known = [...new Set(called.flatMap(({ form }) => Object.keys(form?.properties ?? {})))]
  const none = on === '*' ? 'No operation has a field' : `${on.join(' or ')} has no field`
  return Object.keys(when?.body ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: ['when', 'body', name], message: `${none} ${quote(name)}.${didYouMean(name, known)}` }))
}

function strayStatus({ answer: { status, fault } }: ReadyRule): Note[] {
  if (status === undefined || fault === undefined) return []
  const message = `The connection fails with ${fault}, so nobody sees the status ${status}: leave one of the two out.`
  return [{ path: ['answer', 'status'], message }]
}

function unreachedState({ when }: ReadyRule, states: readonly string[]): Note[] {
  const { state } = when ?? {}
  if (state === undefined || states.includes(state)) return []
  const message = `No rule leads to the state ${quote(state)}.${didYouMean(state, states)} Add 'then: ${state}' to the rule after which it begins.`
  return [{ path: ['when', 'state'], message }]
}

/** Each rule is compared with those before it: of longer lists, which programs write, nothing is said. */
const MOST_COMPARED = 1_000

/** Complains about each rule from `first` on whose calls are all answered by earlier rules. */
function neverAnswering(rules: readonly ReadyRule[], first: number): Note[] {
  /** Whether a rule answers all calls of an operation that another one could meet. */
  const answersAll = ({ on, when = {}, times, chance = 1 }: ReadyRule, operation: string, other: ReadyRule) =>
    times === undefined &&
    chance === 1 &&
    (on === '*' || on.includes(operation)) &&
    Object.entries(when).every(([part, wanted]) => isDeepStrictEqual(wanted, other.when?.[part as keyof typeof when]))
  if (rules.length > MOST_COMPARED) return []
  return rules.slice(first).flatMap((rule, at): Note[] => {
    const before = rules.slice(0, first + at)
    const operations = rule.on === '*' ? ['*'] : rule.on
    const answering = operations.map((operation) => before.findIndex((one) => answersAll(one, operation, rule)))
    if (answering.includes(-1)) return []
    const names = answering.map((one) =>
      one < first ? 'a rule of a scenario that it extends' : `rule ${one - first + 1}`,
    )
    const message = `This rule can never answer, because its calls are always answered by ${[...new Set(names)].join(' and ')}. Put it before, or remove it.`
    return [{ path: [at], message }]
  })
}
