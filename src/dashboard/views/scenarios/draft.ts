import type { Matcher } from '../../../../schemas/scenario.js'
import type { Complaint } from '../../api.js'
import type { RuleView } from '../../shapes.js'

export const PARTS = ['query', 'path', 'headers', 'body', 'token', 'state'] as const
export const TESTS = ['equals', 'contains', 'startsWith', 'endsWith', 'matches', 'absent'] as const

/** A condition as it is written in the form. */
export interface ConditionDraft {
  readonly part: (typeof PARTS)[number]
  /** The field's name; token and state have none. */
  readonly name: string
  readonly test: (typeof TESTS)[number]
  readonly value: string
}

/** A rule as it is written in the form: texts, which may be wrong. */
export interface RuleDraft {
  readonly id: number
  /** None stands for any operation. */
  readonly on: readonly string[]
  readonly conditions: readonly ConditionDraft[]
  readonly status: string
  readonly times: string
  readonly chance: string
  readonly delay: string
  readonly fault: string
  readonly after: boolean
  readonly body: string
  readonly headers: string
  readonly then: string
  readonly offContract: boolean
}

/** A rule to begin with. */
export function emptyDraft(id: number): RuleDraft {
  const texts = { status: '', times: '', chance: '', delay: '', fault: '', body: '', headers: '', then: '' }
  return { id, on: [], conditions: [], after: false, offContract: false, ...texts }
}

export const emptyCondition: ConditionDraft = { part: 'body', name: '', test: 'equals', value: '' }

/** A rule that there is, to be edited. */
export function draftOf(rule: RuleView, id: number): RuleDraft {
  const { on, when = {}, times, chance, answer = {}, then, offContract } = rule
  const { status, body, headers, delay, fault, effect } = answer
  return {
    ...emptyDraft(id),
    on: on === '*' ? [] : [on].flat(),
    conditions: Object.entries(when).flatMap(([part, matchers]) =>
      conditionsOf(part as ConditionDraft['part'], matchers),
    ),
    status: written(status),
    times: written(times),
    chance: written(chance),
    delay: written(delay),
    fault: fault ?? '',
    after: effect === 'after',
    body: body === undefined ? '' : JSON.stringify(body, null, 2),
    headers: headers === undefined ? '' : JSON.stringify(headers, null, 2),
    then: then ?? '',
    offContract: (offContract ?? answer.offContract) === true,
  }
}

function written(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value)
}

function conditionsOf(part: ConditionDraft['part'], matchers: unknown): ConditionDraft[] {
  if (part === 'state') return [{ part, name: '', test: 'equals', value: String(matchers) }]
  const named: readonly [string, Matcher][] =
    part === 'token' ? [['', matchers as Matcher]] : Object.entries(matchers as Record<string, Matcher>)
  return named.flatMap(([name, matcher]) =>
    Object.entries(typeof matcher === 'object' ? matcher : { equals: matcher }).map(([test, value]) => ({
      part,
      name,
      test: test as ConditionDraft['test'],
      value: String(value),
    })),
  )
}

/** The rule that a draft writes; what is no JSON is complained about here, all else by the server. */
export function ruleOf(
  draft: RuleDraft,
  at: number,
): { readonly rule: object; readonly complaints: readonly Complaint[] } {
  const complaints: Complaint[] = []
  const json = (field: 'body' | 'headers') => {
    try {
      return draft[field].trim() === '' ? undefined : JSON.parse(draft[field])
    } catch (error) {
      complaints.push({
        path: `rules[${at}].answer.${field}`,
        message: `This is not JSON: ${(error as Error).message}.`,
      })
      return undefined
    }
  }
  const answer = filled({
    status: numberOr(draft.status),
    body: json('body'),
    headers: json('headers'),
    delay: delayOf(draft.delay),
    fault: text(draft.fault),
    effect: draft.after ? 'after' : undefined,
  })
  const rule = filled({
    on: draft.on.length === 0 ? '*' : draft.on.length === 1 ? draft.on[0] : draft.on,
    when: whenOf(draft.conditions),
    times: numberOr(draft.times),
    chance: numberOr(draft.chance),
    answer: Object.keys(answer).length === 0 ? undefined : answer,
    then: text(draft.then),
    offContract: draft.offContract || undefined,
  })
  return { rule, complaints }
}

function whenOf(conditions: readonly ConditionDraft[]): object | undefined {
  const when: Record<string, unknown> = {}
  for (const { part, name, test, value } of conditions) {
    const matcher = { [test]: test === 'absent' ? value !== 'false' : value }
    if (part === 'state') when.state = value
    else if (part === 'token') when.token = { ...(when.token as object), ...matcher }
    else {
      const fields = when[part] as Readonly<Record<string, object>> | undefined
      when[part] = { ...fields, [name]: { ...fields?.[name], ...matcher } }
    }
  }
  return conditions.length === 0 ? undefined : when
}

function text(written: string): string | undefined {
  return written.trim() === '' ? undefined : written.trim()
}

/** What is no number stays as it was written, so that the server's complaint quotes it. */
function numberOr(written: string): number | string | undefined {
  const given = text(written)
  return given === undefined || Number.isNaN(Number(given)) ? given : Number(given)
}

function delayOf(written: string): unknown {
  if (!written.trim().startsWith('{')) return numberOr(written)
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

function filled(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
