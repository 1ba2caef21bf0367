import type { TSchema } from '@sinclair/typebox'
import { exampleOf, type Form, type UploadedFile } from '../../schemas/common.js'
import { type Contract, filesOf } from '../../schemas/contract.js'
import { flatTexts } from '../text/json.js'
import { findMeantName, holdsName, isOtherIdentifier, type NamedPart, recount, seriesOf } from './names.js'
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

/** A request as it should have been. */
export interface CorrectRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly form: readonly (readonly [name: string, value: string | UploadedFile])[]
}

/** Codes of violations that a new name or value corrects; with any other one of a parameter there is no correction. */
const CORRECTABLE =
  /^(?:(?:missing|empty|invalid|repeated)-parameter|(?:unknown|misnamed|misplaced|too-many)-(?:parameters?|fields?)|unencoded-plus|braced-uuid|json-value|token-in-query)$/

/** A value of the request that is corrected, and the name that it has to have. */
interface Placed {
  readonly part: NamedPart
  readonly name: string
  readonly value: unknown
  /** The name that it was sent under. */
  readonly as: string
}

/**
 * The request as it should have been: the client's own, with names and values as they are documented, and without what
 * is unknown. Nothing is added but what the document itself fixes.
 * @returns undefined if a value would be lost or guessed, or a violation would stay
 */
export function correct(contract: Contract, faulty: Faulty): CorrectRequest | undefined {
  const { body, violations } = faulty
  if (contract.form !== undefined && body === undefined) return undefined
  if (violations.some(({ code, where }) => !isCorrectedAnyway(where) && !CORRECTABLE.test(code))) return undefined
  const placed = placeAll(contract, faulty)
  if (placed === undefined) return undefined
  const params = repairedParams(contract, faulty.params)
  const query = partOf(contract, placed, 'query', violations)
  const form = partOf(contract, placed, 'form', violations)
  if (params === undefined || query === undefined || form === undefined) return undefined
  if (contract.form !== undefined && form.length === 0) return undefined
  const { atLeastOneOf = [] } = contract
  if (atLeastOneOf.length > 0 && !form.some(([name]) => atLeastOneOf.includes(name))) return undefined
  return { params, query: query as [string, string][], form }
}

/** Whether a violation goes with the route, the token and the kind of body that every corrected request has. */
function isCorrectedAnyway(where: string): boolean {
  return ['url', 'method', 'request', 'body'].includes(where) || where.startsWith('headers.')
}

function repairedParams({ params }: Contract, sent: Faulty['params']): Record<string, string> | undefined {
  const repairs = Object.entries(params.properties).map(([name, schema]) => [name, repaired(sent[name], schema)])
  return repairs.some(([, value]) => typeof value !== 'string') ? undefined : Object.fromEntries(repairs)
}

/** What the document itself fixes of what is missing: the only value that there is, and the first page. */
function fixedValue(name: string, schema: TSchema): string | undefined {
  return schema.enum?.length === 1 || name === 'page' || name === 'per_page' ? exampleOf(schema) : undefined
}

/** A part of the request; undefined if a value cannot be repaired, or one that is required is not there. */
function partOf(contract: Contract, placed: readonly Placed[], part: NamedPart, violations: readonly Violation[]) {
  const { properties = {}, required = [] } = contract[part] ?? {}
  const found: [string, string | UploadedFile][] = []
  for (const [name, schema] of Object.entries(properties as Record<string, TSchema>)) {
    const sent = placed.filter((one) => one.part === part && one.name === name && !isLeftEmpty(one.value))
    const values = new Set(sent.map(({ value, as }) => repairOf(value, schema, `${part}.${as}`, violations)))
    const isFixed = sent.length === 0 || schema.enum?.length === 1
    const [value = isFixed && required.includes(name) ? fixedValue(name, schema) : undefined] = values
    if (value !== undefined && values.size <= 1) found.push([name, value])
    else if (sent.length > 0 || required.includes(name)) return undefined
  }
  return found
}

function isLeftEmpty(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function repairOf(value: unknown, schema: TSchema, where: string, violations: readonly Violation[]) {
  const isPlus = violations.some((one) => one.code === 'unencoded-plus' && one.where === where)
  const mended = repaired(isPlus ? String(value).replaceAll(' ', '+') : value, schema)
  // `sort=+amount`: the sign would be lost.
  const isSigned = where.startsWith('query.') && schema.enum !== undefined && /^ \S+$/.test(String(value))
  return isSigned ? undefined : mended
}

/** Every value under its documented name; undefined if one would be lost, or is not surely of that name. */
function placeAll(contract: Contract, { query, body }: Faulty): readonly Placed[] | undefined {
  const placed: Placed[] = []
  const isTaken = (part: NamedPart, name: string) => placed.some((one) => one.part === part && one.name === name)
  const others: Placed[] = []
  for (const [part, values] of [
    ['query', query],
    ['form', body ?? {}],
  ] as [NamedPart, object][]) {
    const shifted = recount(Object.keys(values), contract, part)
    for (const [name, value] of Object.entries(values).flatMap(([name, value]) => each(name, value))) {
      const one = { part, name: shifted.get(name) ?? name, value, as: name }
      if (Object.hasOwn(contract[part]?.properties ?? {}, one.name)) placed.push(one)
      else others.push(one)
    }
  }
  let hasExtra = false
  for (const { part, name, value, as } of others) {
    const meant = findMeantName(name, value, contract, part)
    const target = meant.kind === 'unknown' ? fileFor(value, contract) : meant
    if (target === undefined) {
      if (holdsName(name, contract)) return undefined
      hasExtra = true
      continue
    }
    const series = seriesOf(target.name, contract, target.part)
    const isFree = meant.kind !== 'too-many' && !isTaken(target.part, target.name)
    const free = isFree ? target.name : series.find((one) => !isTaken(target.part, one))
    const own = isSameAs(placed, target.part, target.name, value) ? target.name : free
    if (own === undefined || isOfAnother(name, own, value) || isList(value, series)) return undefined
    placed.push({ part: target.part, name: own, value, as })
  }
  return hasExtra && isIncomplete(contract, placed) ? undefined : placed
}

/** Whether a value was sent under its name as well. */
function isSameAs(placed: readonly Placed[], part: NamedPart, name: string, value: unknown): boolean {
  return placed.some((one) => one.part === part && one.name === name && one.value === value)
}

/** The only file of an operation, for a file under a name that means nothing; a Blob of JSON is no file that was meant. */
function fileFor(value: unknown, contract: Contract): { part: NamedPart; name: string } | undefined {
  const [name, ...more] = filesOf(contract)
  if (typeof value !== 'object' || name === undefined || more.length > 0) return undefined
  const { mimetype = '' } = value as Partial<UploadedFile>
  return /^application\/json\b/i.test(mimetype) ? undefined : { part: 'form', name }
}

const UUID = /^[\s{]*[0-9a-f]{8}-/i

/** Whether a value is an identifier of another kind than a name's: a number for a UUID, or the other way round. */
function isOfAnother(sentAs: string, name: string, value: unknown): boolean {
  return isOtherIdentifier(sentAs, name) && UUID.test(String(value)) !== /uuid\]?$/i.test(name)
}

/** Whether a value lists several, of a series that has a name for each. */
function isList(value: unknown, series: readonly string[]): boolean {
  return series.length > 1 && String(value).includes(',')
}

/** Whether something is missing that an unknown value may have been meant for. */
function isIncomplete(contract: Contract, placed: readonly Placed[]): boolean {
  return (['query', 'form'] as const).some((part) => {
    const { properties = {}, required = [] } = contract[part] ?? {}
    const due = required.filter((name: string) => (properties[name] as TSchema).enum?.length !== 1)
    return due.some((name: string) => !placed.some((one) => one.part === part && one.name === name))
  })
}

/** A value under its name; several of a name that is repeated, and those of JSON that stands in one field. */
function each(name: string, value: unknown): [string, unknown][] {
  return [value].flat().flatMap((one): [string, unknown][] => {
    const json = typeof one === 'string' ? jsonIn(one) : undefined
    return json === undefined ? [[name, one]] : flatTexts(json, name)
  })
}
