import type { TObject, TSchema } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'
import { type Mismatch, mismatchesIn } from '../contract/check.js'
import { type Cites, citesOf, isStatement } from '../contract/cites.js'
import { type Contract, changesRecord, fillPath } from '../contract/contract.js'
import { exampleOf, isFile, NO_CONTROL_CHARACTERS } from '../contract/fields.js'
import { describeAllowed, quote } from '../contract/wording.js'
import { shellQuote } from './curl.js'
import { PARTS, unknownName } from './names.js'
import type { ReceivedRequest } from './received-request.js'
import { repairValue } from './repair.js'
import { isBlank } from './text.js'
import { type Violation, type ViolationDraft, violationOf } from './violation.js'

const WORDS = { params: 'path variable', query: PARTS.query.words, form: PARTS.form.words } as const

export type RequestPart = keyof typeof WORDS

/** A documented name of a request. */
interface Parameter {
  readonly contract: Contract
  readonly part: RequestPart
  readonly name: string
  readonly schema: TSchema
  readonly isRequired: boolean
  /** In a query, a plus that is not encoded is a blank. */
  readonly mayHoldPlus: boolean
}

/** The violations in one part of a request, one for each name, from the errors of its schema. */
export function violationsIn(
  contract: Contract,
  part: RequestPart,
  errors: readonly ErrorObject[],
  request: ReceivedRequest,
): readonly Violation[] {
  const { properties, required = [], ...rules } = contract[part] as TObject
  const mismatches = mismatchesIn(errors)
  const byName = new Map(mismatches.map((one) => [one.path[0] ?? '', one] as const).reverse())
  return [...byName].reverse().map(([name, mismatch]) => {
    const schema: TSchema | undefined = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (part !== 'params' && schema === undefined)
      return unknownName(
        contract,
        { part, name, value: mismatch.value },
        { beside: Object.keys(request[part] ?? {}), cites: citesOf(rules as TSchema, mismatch.keyword) },
      )
    const isRequired = required.includes(name)
    const mayHoldPlus = request.url.includes('+')
    return violationAt({ contract, part, name, schema: schema ?? ({} as TSchema), isRequired, mayHoldPlus }, mismatch)
  })
}

function violationAt(parameter: Parameter, mismatch: Mismatch): Violation {
  const { contract, part, name } = parameter
  const found = {
    ...describe(parameter, mismatch),
    where: `${part === 'params' ? 'path' : part}.${name}`,
    fix: fixOf(parameter, mismatch.value),
    name,
  }
  return violationOf(found, citesFor(parameter, mismatch) ?? contract.cites)
}

/** Roughly an address of RFC 5321: the contract takes fewer. */
const ADDRESS = /^(?:"[^"]*"|[^@\s<>:]+)@(?:\[[^\]]*\]|[^@\s<>]+)$/

function citesFor({ contract, schema, isRequired }: Parameter, { keyword, value }: Mismatch): Cites | undefined {
  if (isRequired && isBlank(value)) return citesOf(schema, 'required')
  if (Array.isArray(value) && schema.type !== 'array') return [contract.conventions.repeatedNames]
  // These are whole numbers, though not as they are read.
  if (schema.type === 'integer' && typeof value === 'string' && /^\+?\d+$/.test(value))
    return citesOf(schema, 'maximum')
  if (schema.format === 'email' && typeof value === 'string' && ADDRESS.test(value))
    return [contract.conventions.addresses]
  if (value === '' && schema.format !== undefined) return [contract.conventions.emptyFields]
  // An empty text departs from other limits, too.
  return citesOf(schema, value === '' && schema.minLength !== undefined ? 'minLength' : keyword)
}

type Description = Pick<ViolationDraft, 'code' | 'message' | 'rank'>

function describe({ contract, part, name, schema, isRequired }: Parameter, { keyword, value }: Mismatch): Description {
  const subject = `The ${WORDS[part]} '${name}'`
  const expected = expectedOf(schema, value)
  const missing = (message: string): Description => ({ code: 'missing-parameter', message, rank: 'missing' })
  if (keyword === 'required') return missing(`${subject} is missing: send ${expected}.`)
  if (isBlank(value)) {
    const blank = value === '' ? "empty ('')" : `white space (${quote(value)})`
    if (isRequired) return missing(`${subject} is ${blank}, which counts as missing: send ${expected}.`)
    const message = `${subject} must be ${expected}, not ${blank}: ${leaveOut(contract).toLowerCase()}.`
    return { code: 'empty-parameter', message }
  }
  if (Array.isArray(value)) {
    const message = `${subject} was sent ${value.length} times (${quote(value)}): send it once.`
    return { code: 'repeated-parameter', message, rank: 'repeated' }
  }
  return { code: 'invalid-parameter', message: `${subject} must be ${expected}, not ${quote(value)}.` }
}

function leaveOut(contract: Contract): string {
  return changesRecord(contract) ? 'Leave it out to keep the current value' : 'Leave it out'
}

/** The parameter ready to copy, with the value that was surely meant, or else a placeholder. */
function fixOf({ contract, part, name, schema, isRequired, mayHoldPlus }: Parameter, value: unknown): string {
  if (!isRequired && isBlank(value)) return `${leaveOut(contract)}.`
  const isAddress = mayHoldPlus && part === 'query' && schema.format === 'email'
  const given = [value].flat().map((one) => (isAddress && typeof one === 'string' ? one.replaceAll(' ', '+') : one))
  const meanings = new Set(given.flatMap((one) => repairValue(one, schema) ?? []))
  const [meant] = meanings.size === 1 ? meanings : []
  // A sample would change the record.
  if (!isRequired && meant === undefined && part === 'form' && changesRecord(contract))
    return `${leaveOut(contract)}, or send ${expectedOf(schema)}.`
  const isFixed = schema.enum?.length === 1 || name === contract.paging?.page
  const text = typeof meant === 'string' ? meant : isFixed ? exampleOf(schema) : placeholderFor(name)
  if (part === 'query') return `?${encodeURI(name)}=${encodeURIComponent(text)}`
  if (part === 'params') return fillPath(contract, (one) => (one === name ? text : placeholderFor(one)))
  return isFile(schema) ? `-F '${name}=@FILE;type=${schema.contentMediaType}'` : `-F ${shellQuote(`${name}=${text}`)}`
}

/** `EMAIL` for `list[0][email]`: what the client has to put there, and nobody else's value. */
function placeholderFor(name: string): string {
  const words = name.split(/[^A-Za-z_]+/).filter((one) => /[A-Za-z]$/.test(one))
  return (words.at(-1) ?? 'value').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
}

/** The values of a parameter in words, the limits of our own in brackets: `a whole number (1 or more)`. */
function expectedOf(schema: TSchema, value?: unknown): string {
  const ours = Object.keys(LIMITS_OF_OURS).filter((limit) => schema[limit] !== undefined && isOurs(schema, limit))
  if (schema['x-allowed'] !== undefined) return describeAllowed(schema)
  const documented = Object.entries(schema).filter(([key]) => key === 'enum' || !ours.includes(key))
  // The document calls some a string or an integer.
  const isEither = schema['x-types'] !== undefined
  const type = isEither ? 'text or a whole number' : describeAllowed(Object.fromEntries(documented) as TSchema)
  if (ours.length === 0) return type
  const limits = ours.flatMap((limit) => LIMITS_OF_OURS[limit]?.(schema[limit], value) ?? []).join(', ')
  return limits === '' ? type : `${type} (${limits})`
}

function isOurs(schema: TSchema, limit: string): boolean {
  const cites = citesOf(schema, limit)
  return cites !== undefined && !cites.some(isStatement)
}

/** Limits that interpretations set, in words if they need any. */
const LIMITS_OF_OURS: Readonly<Record<string, (limit: unknown, value: unknown) => readonly string[]>> = {
  minimum: (least) => [`${least} or more`],
  maximum: (most, value) => (Number(value) > Number(most) ? [`at most ${most}`] : []),
  minLength: () => ['not empty'],
  pattern: (pattern) => [pattern === NO_CONTROL_CHARACTERS ? 'without control characters' : `matching ${pattern}`],
  enum: () => [],
}
