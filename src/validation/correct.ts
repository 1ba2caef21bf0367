import type { TObject, TSchema } from '@sinclair/typebox'
import { type Form, isFile, type UploadedFile } from '../../schemas/common.js'
import { type Contract, changesRecord, filesOf } from '../../schemas/contract.js'
import { flatTexts } from '../text/json.js'
import { counted, isOtherIdentifier, lastWordIn, meantBy, type NamedPart, PARTS, seriesOf } from './names.js'
import { repaired } from './repair.js'
import { jsonIn } from './suspicious.js'
import type { Violation } from './violation.js'

/** What was sent, and what is wrong with it. */
export interface Faulty {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The fields of the body, however it was written; null where there is none, undefined where they cannot be read. */
  readonly body: Form | Readonly<Record<string, unknown>> | null | undefined
  readonly violations: readonly Violation[]
}

/** A value as it should be sent; a file that was not sent well is any of this type. */
export type CorrectValue = string | UploadedFile | { readonly anyOfType: string }

/** A request as it should have been. */
export interface CorrectRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly form: readonly (readonly [name: string, value: CorrectValue])[]
}

/** What is wrong with a value that its schema shows, or that can be mended; any other violation means the value itself. */
const SHOWN_BY_SCHEMA = /^(?:(?:missing|empty|invalid|repeated)-parameter|unencoded-plus|braced-uuid)$/

/** What is known of values beside the request. */
export interface Known {
  /** A value for what is required and cannot be known. */
  readonly sample: (name: string, schema: TSchema | undefined) => string
  /** What a documented name calls the record that was named by another of its identifiers; undefined where none has it. */
  readonly identifier: (name: string, value: unknown) => string | undefined
  /** Whether a value names a record that there is not, for the caller. */
  readonly isUnknown: (name: string, value: string) => boolean
}

/**
 * The request as it should have been: what was sent under its documented names, values that are surely slips repaired,
 * what is not documented left out.
 * @returns undefined where that is not what the client meant: nothing of its body could be kept, or a record would be
 * changed that it did not name, or to what it did not say
 */
export function correct(contract: Contract, faulty: Faulty, known: Known): CorrectRequest | undefined {
  let usesSample = false
  const sample: Known['sample'] = (name, schema) => {
    // The only value of its kind is everybody's.
    usesSample ||= schema?.enum?.length !== 1
    return known.sample(name, schema)
  }
  const wrong = new Set(faulty.violations.filter(({ code }) => !SHOWN_BY_SCHEMA.test(code)).map(({ where }) => where))
  if (contract.form !== undefined && (faulty.body === undefined || holdsLostJson(faulty))) return undefined
  const meant = namesMeant(contract, faulty, known)
  const sent = (part: NamedPart, name: string) =>
    meant(part, name).filter(({ where }) => where !== placeOf(part, name) || !wrong.has(where))
  const value = (part: NamedPart, name: string, schema: TSchema) =>
    sent(part, name)
      .map(({ value }) => repaired(value, schema))
      .find((one) => one !== undefined && !(typeof one === 'string' && known.isUnknown(name, one)))

  const params = Object.fromEntries(
    Object.entries(contract.params.properties).map(([name, schema]) => {
      const own = wrong.has(`path.${name}`) ? undefined : repaired(faulty.params[name], schema)
      return [name, typeof own === 'string' ? own : sample(name, schema)]
    }),
  )
  const query = partOf(contract.query, (name, schema) => value('query', name, schema), sample)
  const form = partOf(contract.form, (name, schema) => value('form', name, schema), sample)
  const due = oneOfThem(contract, form, (name) => meant('form', name).length > 0, sample)
  // What a client left empty may stay out; what else it meant is lost.
  const lost = Object.values(faulty.body ?? {}).some((one) => one !== '')
  if (form.length + due.length === 0 && contract.form !== undefined && lost) return undefined
  if (usesSample && (changesRecord(contract) || faulty.body === undefined)) return undefined
  return { params, query: query as [string, string][], form: [...form, ...due] }
}

/** Whether a form has JSON in a file, as a Blob is sent: what it says is not kept. */
function holdsLostJson({ body }: Faulty): boolean {
  const types = Object.values(body ?? {})
    .flat()
    .map((one) => (one as Partial<UploadedFile> | null)?.mimetype)
  return types.some((type) => type !== undefined && /^application\/json\b/i.test(type))
}

function placeOf(part: NamedPart, name: string): string {
  return `${PARTS[part].place}.${name}`
}

function partOf(
  schema: TObject | undefined,
  value: (name: string, schema: TSchema) => CorrectValue | undefined,
  sample: (name: string, schema: TSchema) => string,
): [string, CorrectValue][] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, property]): [string, CorrectValue][] => {
    const own = value(name, property)
    if (own !== undefined) return [[name, own]]
    if (!schema?.required?.includes(name)) return []
    return [[name, sampleOf(name, property, sample)]]
  })
}

/** Where at least one of some fields is due and none is there: the one that was tried, else the first that is text. */
function oneOfThem(
  { form, atLeastOneOf = [] }: Contract,
  there: readonly (readonly [string, CorrectValue])[],
  wasTried: (name: string) => boolean,
  sample: (name: string, schema: TSchema) => string,
): [string, CorrectValue][] {
  if (atLeastOneOf.length === 0 || there.some(([name]) => atLeastOneOf.includes(name))) return []
  const schemaOf = (name: string) => form?.properties[name] as TSchema
  const name = atLeastOneOf.find(wasTried) ?? atLeastOneOf.find((one) => !isFile(schemaOf(one)))
  return name === undefined ? [] : [[name, sampleOf(name, schemaOf(name), sample)]]
}

function sampleOf(name: string, schema: TSchema, sample: (name: string, schema: TSchema) => string): CorrectValue {
  return isFile(schema) ? { anyOfType: schema.contentMediaType } : sample(name, schema)
}

/** One value that was sent, and where. */
interface SentValue {
  readonly where: string
  readonly value: unknown
}

/** A value under a name that is not documented. */
interface NamedValue {
  readonly part: NamedPart
  readonly name: string
  readonly value: unknown
}

/** The values that were sent for a documented name, under it or under another that stands for it. */
function namesMeant(
  contract: Contract,
  { query, body }: Faulty,
  { identifier }: Known,
): (part: NamedPart, name: string) => readonly SentValue[] {
  const sent: Sent = new Map()
  const put = (place: string, where: string, value: unknown) =>
    sent.set(place, [...(sent.get(place) ?? []), { where, value }])
  const aliases: NamedValue[] = []
  for (const [part, values] of [
    ['query', query],
    ['form', body ?? {}],
  ] as [NamedPart, object][]) {
    const names = counted(Object.keys(values), contract, part)
    for (const [name, value] of Object.entries(values).flatMap(([name, value]) => each(name, value))) {
      const place = placeOf(part, names.get(name) ?? name)
      if (names.has(name) || Object.hasOwn(contract[part]?.properties ?? {}, name)) put(place, place, value)
      else aliases.push({ part, name, value })
    }
  }
  const unknown: NamedValue[] = []
  for (const { part, name, value } of aliases) {
    const target = meantBy(name, value, contract, part)
    if (target.kind === 'unknown') {
      unknown.push({ part, name, value })
      const [own] = typeof value === 'object' && filesOf(contract).size === 1 ? filesOf(contract) : []
      if (own !== undefined && !sent.has(placeOf('form', own))) put(placeOf('form', own), placeOf(part, name), value)
      else for (const place of duePlaces(contract, name)) if (!sent.has(place)) put(place, placeOf(part, name), value)
      continue
    }
    // Of a series, such as the keywords, the next that is free.
    const free = seriesOf(target.name, contract, target.part).find((one) => !sent.has(placeOf(target.part, one)))
    const own = target.kind === 'too-many' || sent.has(placeOf(target.part, target.name)) ? free : target.name
    const meantValue = own !== undefined && isOtherIdentifier(name, own) ? identifier(own, value) : value
    if (own !== undefined) put(placeOf(target.part, own), placeOf(part, name), meantValue)
  }
  adoptOnly(contract, unknown, sent)
  return (part, name) => sent.get(placeOf(part, name)) ?? []
}

type Sent = Map<string, SentValue[]>

/** Takes the only value of a part whose name means nothing for the only value that is missing, where its form tells. */
function adoptOnly(contract: Contract, unknown: readonly NamedValue[], sent: Sent): void {
  for (const part of ['query', 'form'] as const) {
    const missing = (contract[part]?.required ?? []).filter((name) => !sent.has(placeOf(part, name)))
    const [only, ...others] = unknown.filter((one) => one.part === part)
    const [due, ...more] = missing
    if (only === undefined || due === undefined || others.length + more.length > 0) continue
    const properties: Readonly<Record<string, TSchema>> = contract[part]?.properties ?? {}
    const { type, format } = properties[due] as TSchema
    if (type !== 'integer' && format === undefined) continue
    sent.set(placeOf(part, due), [{ where: placeOf(part, only.name), value: only.value }])
  }
}

/** The place of what is due and ends a name that is not documented, such as the `code` of a `document_code`. */
function duePlaces({ query, form, atLeastOneOf = [] }: Contract, name: string): string[] {
  const due = { query: query.required ?? [], form: [...(form?.required ?? []), ...atLeastOneOf] }
  return (['query', 'form'] as const).flatMap((part) => {
    const own = lastWordIn(name, due[part])
    return own === undefined ? [] : placeOf(part, own)
  })
}

/** A value under its name; several of a name that is repeated, and those of JSON that stands in one field. */
function each(name: string, value: unknown): [string, unknown][] {
  return [value].flat().flatMap((one): [string, unknown][] => {
    const json = typeof one === 'string' ? jsonIn(one) : undefined
    return json === undefined ? [[name, one]] : flatTexts(json, name)
  })
}
