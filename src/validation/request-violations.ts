import type { TSchema } from '@sinclair/typebox'
import { type Cites, citesOf } from '../../schemas/cites.js'
import { exampleOf, isFile } from '../../schemas/common.js'
import { type Contract, fillPath } from '../../schemas/contract.js'
import { shellQuote } from '../text/shell.js'
import { allowed, quote } from '../text/wording.js'
import { checkOf } from './check.js'
import type { Departure } from './departure.js'
import { NONE } from './lint-rule.js'
import { unknownName } from './names.js'
import { repaired } from './repair.js'
import { type Violation, violationOf } from './violation.js'

/** The parts of a request that a contract speaks of. */
const parts = {
  params: { place: 'path', words: 'path variable' },
  query: { place: 'query', words: 'query parameter' },
  form: { place: 'form', words: 'form field' },
} as const

type RequestPart = keyof typeof parts

/** Every way in which one part of a request is missing something or invalid. */
export function violationsIn(contract: Contract, part: RequestPart, value: unknown): readonly Violation[] {
  const schema = contract[part]
  if (schema === undefined) return NONE
  const departures = checkOf(schema)(value)
  if (departures.length === 0) return NONE
  return firstOfEachName(departures).map((departure) => departureAsViolation(contract, part, departure))
}

function firstOfEachName(departures: readonly Departure[]): Departure[] {
  const seen = new Set<string>()
  return departures.filter(({ path }) => {
    const name = path[0] ?? ''
    return !seen.has(name) && seen.add(name)
  })
}

function departureAsViolation(contract: Contract, part: RequestPart, departure: Departure): Violation {
  const known = contract[part]?.properties ?? {}
  const name = departure.path[0] ?? ''
  if (part !== 'params' && !Object.hasOwn(known, name)) {
    return unknownName(name, contract, part, citesOf(contract[part] as TSchema, departure.keyword))
  }
  const schema = (known[name] ?? {}) as TSchema
  const found = {
    ...whatIsWrong(contract, part, name, departure),
    where: `${parts[part].place}.${name}`,
    fix: fixOf(contract, part, name, departure) ?? example(contract, part, name, schema, departure.value),
  }
  return violationOf(found, citesFor(schema, departure) ?? contract.cites)
}

/** What RFC 5321 calls an address, roughly: not all of it is taken. */
const ADDRESS = /^(?:"[^"]*"|[^@\s<>:]+)@(?:\[[^\]]*\]|[^@\s<>]+)$/

/** What a departure is a violation of: a limit of its own, that a name comes once, or what the parameter rests on. */
function citesFor(schema: TSchema, { keyword, value }: Departure): Cites | undefined {
  if (Array.isArray(value)) return ['I-17']
  // These are numbers, and whole, but not as they are read.
  if (schema.type === 'integer' && typeof value === 'string' && /^\+?\d+$/.test(value))
    return citesOf(schema, 'maximum')
  if (schema.format === 'email' && typeof value === 'string' && ADDRESS.test(value)) return ['I-19']
  // What is empty is first of all too short, whatever it should be besides.
  if (value === '' && schema.format !== undefined) return ['I-20']
  return citesOf(schema, value === '' && schema.minLength !== undefined ? 'minLength' : keyword)
}

/** What to do with a parameter that nobody needs to send. */
function fixOf(contract: Contract, part: RequestPart, name: string, { value }: Departure): string | undefined {
  if (value !== '' || contract[part]?.required?.includes(name)) return undefined
  return `Leave ${itOut(contract)}.`
}

function itOut({ method }: Contract): string {
  return method === 'PUT' ? 'it out to keep what is there' : 'it out'
}

/** The code and the message of a departure. */
function whatIsWrong(contract: Contract, part: RequestPart, name: string, { keyword, value }: Departure) {
  const subject = `The ${parts[part].words} '${name}'`
  const expected = allowed((contract[part]?.properties[name] ?? {}) as TSchema)
  if (keyword === 'required') {
    return { code: 'missing-parameter', message: `${subject} is missing: send ${expected}.` }
  }
  if (value === '') {
    const advice = adviceOnEmpty(contract, part, name, expected)
    return { code: 'empty-parameter', message: `${subject} must be ${expected}, not empty (''): ${advice}.` }
  }
  if (Array.isArray(value)) {
    const message = `${subject} was sent ${value.length} times (${quote(value)}): send it once.`
    return { code: 'repeated-parameter', message }
  }
  return { code: 'invalid-parameter', message: `${subject} must be ${expected}, not ${quote(value)}.` }
}

function adviceOnEmpty(contract: Contract, part: RequestPart, name: string, expected: string): string {
  if (contract[part]?.required?.includes(name)) return `send ${expected}`
  return `leave ${itOut(contract)}`
}

/** A parameter as it should be sent: what was surely meant, else a sample. */
function example(contract: Contract, part: RequestPart, name: string, schema: TSchema, sent: unknown): string {
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
