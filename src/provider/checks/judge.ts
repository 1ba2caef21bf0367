import type { TSchema } from '@sinclair/typebox'
import { bodySchema } from '../../../schemas/bodies.js'
import { type Cite, type Cites, citesOf, LIMITS } from '../../../schemas/cites.js'
import type { Contract } from '../../../schemas/contract.js'
import type { InterpretationId } from '../../../schemas/interpretations.js'
import { errorsAreOpen } from '../../../schemas/readings.js'
import { quote } from '../../text/wording.js'
import { checkAnswer, declaredStatus, undeclaredStatus } from '../../validation/deviations.js'
import type { Deviation } from '../../validation/violation.js'
import type { Answer } from '../calls/send.js'
import { shapeText, valueText } from '../shape.js'
import { isSuccess, items, member, type Session } from './session.js'

/** What the document, or a reading, has a call answered with. */
export interface Expectation {
  readonly status: number
  /** What says so. */
  readonly cites: Cites
  /** The reading by which another status is an answer to such a call as well; undefined where it is none. */
  readonly otherwise?: (status: number) => InterpretationId | undefined
  /**
   * Whether the call has a second mistake, which alone may be what is answered: then nothing is proved by the expected
   * status.
   */
  readonly masked?: string
  /** What to do about another status. */
  readonly advice?: string
  /** What the call was, as in `a call without 'page'`. */
  readonly call: string
}

/** Compares an answer with what is expected; whether it has the expected outcome, be it by another reading. */
export function judge(session: Session, answer: Answer, expected: Expectation): boolean {
  const { findings } = session
  const { contract } = answer.call
  const { status, cites, call, masked } = expected
  const wanted = isSuccess(expected) && isSuccess(answer)
  if (answer.status === status) {
    if (masked === undefined) findings.holds(cites, contract.id)
    else findings.unchecked(cites, contract.id, masked)
    judgeBody(session, answer)
    return true
  }
  const reading = wanted ? statusReading(contract, answer.status) : expected.otherwise?.(answer.status)
  const message = `${call} is answered with ${answer.status}, not ${status}.`
  if (reading === undefined) {
    const words = [message, ...says(answer), ...advice(answer, expected)]
    findings.drifts({ cites, operation: contract.id, where: 'status', message: words.join(' ') })
    return false
  }
  if (wanted) findings.holds(cites, contract.id)
  findings.differs({ cites: [...cites, reading], operation: contract.id, where: 'status', message })
  judgeBody(session, answer)
  return true
}

/** The reading by which another success is wrong; undefined where the document has the status. */
function statusReading(contract: Contract, status: number): InterpretationId | undefined {
  if (status in contract.responses) return undefined
  return undeclaredStatus(contract, status).basis === 'reading' ? 'I-01' : undefined
}

/** What the provider says about an outcome that was not expected: of errors the message, of all else no more than its shape. */
function says({ status, body }: Answer): string[] {
  const said = member(body, 'error', 'message') ?? member(body, 'message') ?? member(body, 'detail')
  if (status >= 400 && typeof said === 'string') return [`It says ${quote(said.replace(ADDRESS, '…@…'))}.`]
  return body === undefined ? [] : [`Its body is ${shapeText(body)}.`]
}

/** An e-mail address; a message may name whom it is about. */
const ADDRESS = /[^\s@<>"']+@[^\s@<>"']+/g

function advice(answer: Answer, { status, advice }: Expectation): string[] {
  if (advice !== undefined) return [advice]
  if (answer.status >= 300 && answer.status < 400) return [`It redirects to ${quote(answer.location ?? 'nowhere')}.`]
  if (status === 401) return []
  if (answer.status === 401) return ['The token was not accepted. Pass one that is valid at the provider with --token.']
  if (answer.status === 403) return ["The token's user may not do this. Pass the token of a user who may with --token."]
  return []
}

/** Compares the body of an answer with what its contract declares for its status. */
export function judgeBody(session: Pick<Session, 'findings'>, answer: Answer): void {
  const { findings } = session
  const { contract } = answer.call
  // Several checks look at one answer.
  if (!findings.isFirst(answer)) return
  const deviations = checkAnswer(contract, answer).filter(({ code }) => code !== 'undeclared-status')
  noteDeviations(session, answer, deviations)
  const schema = schemaFor(contract, answer.status)
  if (schema === undefined || answer.body === undefined) return
  const departed = new Set(deviations.flatMap(({ cites }) => cites))
  const held = citesIn(schema, answer.body)
  if (!errorsAreOpen(contract) || isSuccess(answer)) {
    for (const cite of ['S0.3' as const, ...held])
      if (!departed.has(cite) && !BEYOND_SHAPES.has(cite)) findings.holds([cite], contract.id)
    noteAdditional(session, contract, schema, answer.body, '')
  } else if (!departed.has('S0.3')) findings.holds(['S0.3'], contract.id)
  if (!errorsAreOpen(contract) && !isSuccess(answer)) judgeCode(session, answer)
}

/** What fields are cited for and their shapes do not show: the checks of operations do. */
const BEYOND_SHAPES: ReadonlySet<Cite> = new Set<Cite>(['S3.7', 'S4.8', 'S5.7', 'S5.10', 'SE.8'])

function schemaFor(contract: Contract, status: number): TSchema | undefined {
  const declared = declaredStatus(contract, status)
  return declared === undefined ? undefined : bodySchema(contract, declared)
}

/** "`code` (integer, the status)". */
function judgeCode({ findings }: Pick<Session, 'findings'>, { call: { contract }, body, status }: Answer): void {
  const code = member(body, 'error', 'code')
  if (typeof code !== 'number' || code === status) return
  const message = `It must be the status ${status}, not ${quote(code)}.`
  findings.drifts({ cites: ['SE.7'], operation: contract.id, where: 'error.code', message })
}

/** Notes the departures of a body; those at one place of a list's items together. */
function noteDeviations({ findings }: Pick<Session, 'findings'>, answer: Answer, all: readonly Deviation[]): void {
  const {
    call: { contract },
    body,
  } = answer
  const byPlace = groupBy(all, ({ where, cites }) => `${foldedPlace(where)} ${cites}`)
  for (const alike of byPlace.values()) {
    const [{ where, cites, basis }] = alike as [Deviation, ...Deviation[]]
    const place = foldedPlace(where)
    const found = {
      cites,
      operation: contract.id,
      where: place,
      message: withoutValues(alike[0] as Deviation, answer).replace(
        `'${where}'`,
        place === 'body' ? 'The body' : `'${place}'`,
      ),
      count: alike.length,
      of: Math.max(alike.length, countAt(body, where.split('.').slice(1).map(index))),
    }
    if (basis === 'documented') findings.drifts(found)
    else findings.differs(found)
  }
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

/** A deviation as reports show it: others than the recipient of the answer may read them. */
function withoutValues({ code, message, where }: Deviation, { body, text }: Answer): string {
  if (code === 'no-json' && text !== '')
    return `The body must be JSON, not ${/^\s*</.test(text) ? 'HTML' : 'other text'}.`
  const value = member(body, ...where.split('.').slice(1))
  return message.replace(quote(value), valueText(value))
}

/** `histories[*].created_at` for `body.histories.3.created_at`. */
function foldedPlace(where: string): string {
  return where.replace(/^body\./, '').replaceAll(/\.\d+(?=\.|$)/g, '[*]')
}

const ANY = '*'
const index = (segment: string) => (/^\d+$/.test(segment) ? ANY : segment)

/** How many items lists have on the way to a place, whatever the indexes in it. */
function countAt(value: unknown, [first, ...rest]: readonly string[]): number {
  if (first === undefined) return 1
  if (first !== ANY) return countAt(member(value, first), rest)
  return items(value).reduce<number>((sum, item) => sum + countAt(item, rest), 0)
}

/** What the parts of a body rest on that are there. */
function citesIn(schema: TSchema, value: unknown): Set<Cite> {
  const found = new Set<Cite>(citesOf(schema) ?? [])
  for (const limit of LIMITS)
    if (schema[limit] !== undefined) for (const cite of citesOf(schema, limit) ?? []) found.add(cite)
  if (schema.type === 'array') {
    for (const item of Array.isArray(value) ? value : [])
      for (const cite of citesIn(schema.items, item)) found.add(cite)
  }
  for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {})) {
    const own = member(value, name)
    if (own !== undefined) for (const cite of citesIn(property, own)) found.add(cite)
  }
  return found
}

/** Notes the fields that the contract does not have: they may be there. */
function noteAdditional(
  session: Pick<Session, 'findings'>,
  contract: Contract,
  schema: TSchema,
  value: unknown,
  place: string,
): void {
  if (Array.isArray(value)) {
    for (const item of value) noteAdditional(session, contract, schema.items ?? {}, item, `${place}[*]`)
    return
  }
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return
  for (const [name, own] of Object.entries(value)) {
    const where = place === '' ? name : `${place}.${name}`
    if (Object.hasOwn(schema.properties, name)) noteAdditional(session, contract, schema.properties[name], own, where)
    else session.findings.addsField({ operation: contract.id, where, type: typeOf(own) })
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
