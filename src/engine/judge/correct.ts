import type { TSchema } from '@sinclair/typebox'
import type { Contract } from '../contract/contract.js'
import { exampleOf } from '../contract/fields.js'
import { flatTexts } from '../contract/json.js'
import { escapedQueryIn, plusIn } from './decode.js'
import {
  byNumber,
  findMeantName,
  holdsName,
  indexedNames,
  isDocumented,
  isOtherIdentifier,
  type NamedPart,
  recount,
} from './names.js'
import type { FileEntry } from './received-request.js'
import { repairValue } from './repair.js'
import { isBlank, jsonIn } from './text.js'

export interface Faulty {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The fields of a body of any type; null without a body, undefined if they cannot be read. */
  readonly body: Readonly<Record<string, unknown>> | null | undefined
  readonly url: string
}

export interface CorrectRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly form: readonly (readonly [name: string, value: string | FileEntry])[]
}

/** A value of the request, and its documented name. */
interface Placed {
  readonly part: NamedPart
  readonly name: string
  readonly value: unknown
  readonly sentAs: string
}

/**
 * The corrected request: the client's own values under documented names, without unknown ones. Only values that the
 * document fixes are added.
 * @returns undefined if a value would be lost or guessed, or a violation would stay
 */
export function correct(contract: Contract, sent: Faulty): CorrectRequest | undefined {
  const faulty = withoutEscapedQuery(sent)
  const { body, url } = faulty
  if (contract.form !== undefined && body === undefined) return undefined
  const placed = placeAll(contract, faulty)
  if (placed === undefined) return undefined
  const params = repairedParams(contract, faulty.params)
  const query = partOf(contract, placed, 'query', url)
  const form = partOf(contract, placed, 'form', url)
  if (params === undefined || query === undefined || form === undefined) return undefined
  if (contract.form !== undefined && form.length === 0) return undefined
  const { atLeastOneOf = [] } = contract
  if (atLeastOneOf.length > 0 && !form.some(([name]) => atLeastOneOf.includes(name))) return undefined
  return { params, query: query as [string, string][], form }
}

/** A query that was escaped with the path stands in its place. */
function withoutEscapedQuery(faulty: Faulty): Faulty {
  const inside = Object.entries(faulty.params).map(([name, value]) => [name, escapedQueryIn(String(value))] as const)
  const query = Object.assign({}, ...inside.map(([, found]) => found?.query), faulty.query)
  const params = Object.fromEntries(inside.map(([name, found]) => [name, found?.path ?? faulty.params[name]]))
  return { ...faulty, params, query }
}

function repairedParams({ params }: Contract, sent: Faulty['params']): Record<string, string> | undefined {
  const repairs = Object.entries(params.properties).map(([name, schema]) => [name, repairValue(sent[name], schema)])
  return repairs.some(([, value]) => typeof value !== 'string') ? undefined : Object.fromEntries(repairs)
}

/** The pairs of one part; undefined if a value cannot be repaired, or a required one is missing. */
function partOf(contract: Contract, placed: readonly Placed[], part: NamedPart, url: string) {
  const { properties = {}, required = [] } = contract[part] ?? {}
  const found: [string, string | FileEntry][] = []
  for (const [name, schema] of Object.entries(properties as Record<string, TSchema>)) {
    const sent = placed.filter((one) => one.part === part && one.name === name && !isBlank(one.value))
    const values = new Set(sent.map((one) => repairedValue(one, schema, url)))
    const isRequired = required.includes(name)
    const isPaging = name === contract.paging?.page || name === contract.paging?.perPage
    // The document fixes the only value of a list, and the first page.
    const isFixed = schema.enum?.length === 1 || (sent.length === 0 && isPaging)
    const [value = isRequired && isFixed ? exampleOf(schema) : undefined] = values
    if (value !== undefined && values.size <= 1) found.push([name, value])
    else if (sent.length > 0 || isRequired) return undefined
  }
  return found
}

function repairedValue({ part, value, sentAs }: Placed, schema: TSchema, url: string) {
  // The sign of `sort=+amount` would be lost.
  if (part === 'query' && schema.enum !== undefined && /^[ +]\S+$/.test(String(value))) return undefined
  const isPlus = part === 'query' && schema.format === 'email' && plusIn(url, sentAs) !== undefined
  return repairValue(isPlus ? String(value).replaceAll(' ', '+') : value, schema)
}

/** Every value under its documented name; undefined if one would be lost, or is not surely of that name. */
function placeAll(contract: Contract, { query, body }: Faulty): readonly Placed[] | undefined {
  const sent = [...valuesIn(contract, 'query', query), ...valuesIn(contract, 'form', body ?? {})]
  const isKnown = ({ part, name }: Placed) =>
    isDocumented(name, (part === 'query' ? query : body) ?? {}, contract, part)
  const placed = sent.filter(isKnown)
  const placedAt = (part: NamedPart, name: string) => placed.filter((one) => one.part === part && one.name === name)
  let hasExtra = false
  for (const { part, name, value, sentAs } of sent
    .filter((one) => !isKnown(one))
    .sort((one, other) => byNumber(one.name, other.name))) {
    const meant = findMeantName(name, value, contract, part)
    if (meant.kind === 'unknown') {
      if (holdsName(name, contract)) return undefined
      hasExtra = true
      continue
    }
    const there = placedAt(meant.part, meant.name)
    const series = indexedNames(meant.name, contract, meant.part)
    const isSentTwice = there.some((one) => one.value === value)
    const isFree = there.length === 0 && meant.kind !== 'too-many'
    const own =
      isSentTwice || (isFree && series.length === 1)
        ? meant.name
        : series.find((one) => placedAt(meant.part, one).length === 0)
    const isList = series.length > 1 && String(value).includes(',')
    if (own === undefined || isList || isOfAnother(name, own, value)) return undefined
    placed.push({ part: meant.part, name: own, value, sentAs })
  }
  return hasExtra && isIncomplete(contract, placed) ? undefined : placed
}

/** The values of a part, each item of a repeated name and of JSON in a field alone. */
function valuesIn(contract: Contract, part: NamedPart, values: object): Placed[] {
  const documented = recount(Object.keys(values), contract, part)
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, unknown][] => {
      const json = typeof one === 'string' ? jsonIn(one) : undefined
      return json === undefined ? [[name, one]] : flatTexts(json, name)
    }),
  )
  return pairs.map(([sentAs, value]) => ({ part, name: documented.get(sentAs) ?? sentAs, value, sentAs }))
}

/** A number in place of a UUID, or a UUID in place of a number. */
function isOfAnother(sentAs: string, name: string, value: unknown): boolean {
  const isUuid = /^[\s{]*[0-9a-f]{8}-/i.test(String(value))
  return isOtherIdentifier(sentAs, name) && isUuid !== /uuid\]?$/i.test(name)
}

/** An unknown value may have been meant for a required parameter that is missing. */
function isIncomplete(contract: Contract, placed: readonly Placed[]): boolean {
  return (['query', 'form'] as const).some((part) => {
    const { properties = {}, required = [] } = contract[part] ?? {}
    const due = required.filter((name: string) => (properties[name] as TSchema).enum?.length !== 1)
    return due.some((name: string) => !placed.some((one) => one.part === part && one.name === name))
  })
}
