import type { Contract } from '../../../schemas/contract.js'
import type { Complaint } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { FIRST_STATE, type ReadyRule } from './scenario.js'

/** What is odd about a rule that can be used, and where. */
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
): Promise<readonly Complaint[]> {
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
  const called = contracts.filter(({ id }) => on?.has(id) ?? true)
  const known = [...new Set(called.flatMap(({ form }) => Object.keys(form?.properties ?? {})))]
  const who = on === undefined ? 'No operation' : [...on].join(' or ')
  return Object.keys(when?.body ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: ['when', 'body', name],
      message: `${who} has ${on === undefined ? 'a' : 'no'} field ${quote(name)}.${didYouMean(name, known)}`,
    }))
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

/** Complains about each rule from `first` on whose calls are all answered by earlier rules. */
function neverAnswering(rules: readonly ReadyRule[], first: number): Note[] {
  const notes: Note[] = []
  /** By condition and operation, the first rule that answers all such calls. */
  const answeredBy = new Map<string, number>()
  for (const [at, { on = ['*'], when = {}, times, chance = 1 }] of rules.entries()) {
    const condition = JSON.stringify(when)
    const wider = ['{}', JSON.stringify({ state: when.state }), condition]
    const earlier = Array.from(
      on,
      (id) => wider.flatMap((one) => answeredBy.get(`${one} ${id}`) ?? answeredBy.get(`${one} *`) ?? [])[0],
    )
    if (at >= first && !earlier.includes(undefined)) {
      const names = [...new Set(earlier as number[])].map((one) =>
        one < first ? 'a rule of a scenario that it extends' : `rule ${one - first + 1}`,
      )
      const message = `This rule can never answer, because its calls are always answered by ${[...new Set(names)].join(' and ')}. Put it before, or remove it.`
      notes.push({ path: [at - first], message })
    }
    const isGreedy = times === undefined && chance === 1
    for (const id of isGreedy ? on : []) {
      const key = `${condition} ${id}`
      if (!answeredBy.has(key)) answeredBy.set(key, at)
    }
  }
  return notes
}
