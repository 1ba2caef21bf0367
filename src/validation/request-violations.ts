import type { TObject, TSchema } from '@sinclair/typebox'
import { type Cites, citesOf } from '../../schemas/cites.js'
import { exampleOf, isFile } from '../../schemas/common.js'
import { type Contract, changesRecord, fillPath } from '../../schemas/contract.js'
import { shellQuote } from '../text/curl.js'
import { quote } from '../text/wording.js'
import { checkOf, type Departure } from './check.js'
import { expectedOf } from './expected.js'
import { PARTS, unknownName } from './names.js'
import { repaired } from './repair.js'
import { type Violation, violationOf } from './violation.js'

/** The parts of a request that a contract speaks of. */
const WORDS = { params: 'path variable', query: PARTS.query.words, form: PARTS.form.words } as const

type RequestPart = keyof typeof WORDS

/** Every way in which one part of a request is missing something or invalid. */
export function violationsIn(contract: Contract, part: RequestPart, value: unknown): readonly Violation[] {
  const schema = contract[part]
  if (schema === undefined) return []
  const departures = checkOf(schema)(value)
  if (departures.length === 0) return []
  return firstOfEachName(departures).map((departure) => departureAsViolation(contract, part, schema, departure))
}

function firstOfEachName(departures: readonly Departure[]): Departure[] {
  const seen = new Set<string>()
  return departures.filter((departure) => !seen.has(nameOf(departure)) && seen.add(nameOf(departure)))
}

function nameOf({ path: [name = ''] }: Departure): string {
  return name
}

function departureAsViolation(
  contract: Contract,
  part: RequestPart,
  { properties, required, ...whole }: TObject,
  departure: Departure,
): Violation {
  const name = nameOf(departure)
  const known = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (part !== 'params' && known === undefined) {
    return unknownName({ name, value: departure.value, part }, contract, citesOf(whole, departure.keyword))
  }
  const place: Place = {
    part,
    name,
    schema: known ?? ({} as TSchema),
    required: required?.includes(name) === true,
  }
  const found = {
    ...whatIsWrong(contract, place, departure),
    where: `${part === 'params' ? 'path' : part}.${name}`,
    fix: fixOf(contract, place, departure) ?? example(contract, place, departure.value),
  }
  return violationOf(found, citesFor(place, departure) ?? contract.cites)
}

/** A place of a request, and what is due there. */
interface Place {
  readonly part: RequestPart
  readonly name: string
  readonly schema: TSchema
  readonly required: boolean
}

/** What RFC 5321 calls an address, roughly: not all of it is taken. */
const ADDRESS = /^(?:"[^"]*"|[^@\s<>:]+)@(?:\[[^\]]*\]|[^@\s<>]+)$/

/** What a departure is a violation of: a limit of its own, that a name comes once, or what the parameter rests on. */
function citesFor({ schema, required }: Place, { keyword, value }: Departure): Cites | undefined {
  if (required && isBlank(value)) return citesOf(schema, 'required')
  if (Array.isArray(value) && schema.type !== 'array') return ['I-17']
  // These are numbers, and whole, but not as they are read.
  if (schema.type === 'integer' && typeof value === 'string' && /^\+?\d+$/.test(value))
    return citesOf(schema, 'maximum')
  if (schema.format === 'email' && typeof value === 'string' && ADDRESS.test(value)) return ['I-19']
  // What is empty is first of all too short, whatever it should be besides.
  if (value === '' && schema.format !== undefined) return ['I-20']
  return citesOf(schema, value === '' && schema.minLength !== undefined ? 'minLength' : keyword)
}

/** Whether a text is empty, or only white space, which says no more. */
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** What to do with an optional parameter; a sample would change the existing record. */
function fixOf(contract: Contract, { part, schema, required }: Place, { value }: Departure): string | undefined {
  if (required) return undefined
  if (isBlank(value)) return `Leave ${itOut(contract)}.`
  if (part === 'query' || part === 'params' || !changesRecord(contract) || isMeant(value, schema)) return undefined
  return `Leave ${itOut(contract)}, or send ${expectedOf(schema)}.`
}

/** Whether a value is surely a slip, so that what it should be is known. */
function isMeant(value: unknown, schema: TSchema): boolean {
  return [value].flat().some((one) => repaired(one, schema) !== undefined)
}

function itOut({ method }: Contract): string {
  return method === 'PUT' || method === 'PATCH' ? 'it out to keep the current value' : 'it out'
}

/** Whether a text is a whole number that is only too large to be told from its neighbours. */
function isTooLarge({ type, maximum }: TSchema, value: unknown): boolean {
  return type === 'integer' && maximum !== undefined && /^[1-9]\d*$/.test(String(value)) && Number(value) > maximum
}

function largest(schema: TSchema): string {
  return `a whole number up to ${schema.maximum} (${citesOf(schema, 'maximum')?.join(', ')})`
}

/** The code and the message of a departure. */
function whatIsWrong(contract: Contract, { part, name, schema, required }: Place, { keyword, value }: Departure) {
  const subject = `The ${WORDS[part]} '${name}'`
  const expected = keyword === 'maximum' || isTooLarge(schema, value) ? largest(schema) : expectedOf(schema)
  if (keyword === 'required') {
    return { code: 'missing-parameter', message: `${subject} is missing: send ${expected}.` }
  }
  if (isBlank(value)) {
    const blank = value === '' ? "empty ('')" : `white space (${quote(value)}), which counts as empty`
    if (required) {
      return { code: 'missing-parameter', message: `${subject} is ${blank}, and so missing: send ${expected}.` }
    }
    const message = `${subject} must be ${expected}, not ${blank}: leave ${itOut(contract)}.`
    return { code: 'empty-parameter', message }
  }
  if (Array.isArray(value)) {
    const message = `${subject} was sent ${value.length} times (${quote(value)}): send it once.`
    return { code: 'repeated-parameter', message }
  }
  return { code: 'invalid-parameter', message: `${subject} must be ${expected}, not ${quote(value)}.` }
}

/** A parameter as it should be sent: what was surely meant, else a sample. */
function example(contract: Contract, { part, name, schema }: Place, sent: unknown): string {
  const meant = [sent]
    .flat()
    .map((one) => repaired(one, schema))
    .find((one) => typeof one === 'string')
  const text = meant ?? (exampleOf(schema) || 'VALUE')
  if (part === 'query') return `?${encodeURI(name)}=${encodeURIComponent(text)}`
  if (part === 'params') {
    return fillPath(contract, (one) => (one === name ? text : exampleOf(contract.params.properties[one])))
  }
  return isFile(schema) ? `-F '${name}=@FILE;type=${schema.contentMediaType}'` : `-F ${shellQuote(`${name}=${text}`)}`
}
