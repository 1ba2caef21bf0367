import type { TSchema } from '@sinclair/typebox'
import { findMismatches, isValid, type Mismatch } from '../contract/check.js'
import type { DataComplaint } from '../contract/complaint.js'
import { isExact } from '../contract/json.js'
import {
  describeAllowed,
  describeInexact,
  didYouMean,
  nearestWord,
  onOneLine,
  quote,
  quoteSafely,
} from '../contract/wording.js'
import { type FileComplaint, InvalidFiles, locateFirst, MAX_COMPLAINTS } from './invalid-files.js'
import type { SourceFile } from './source-file.js'
import type { LossyScalar } from './yaml-nodes.js'

export function explainMismatches(schema: TSchema, value: unknown): string[] {
  return dedupeMismatches(findMismatches(schema, value)).map(describeMismatch)
}

/** @throws {InvalidFiles} with every complaint and its place */
export async function validateSource(
  source: SourceFile,
  schema: TSchema,
  data: unknown = source.data,
  otherComplaints: readonly DataComplaint[] = [],
): Promise<void> {
  const others = [...otherComplaints, ...source.lossyScalars.flatMap((scalar) => lossyComplaints(scalar, schema))]
  const otherPaths = new Set(others.map(({ path }) => path.join('\0')))
  const all = dedupeMismatches(findMismatches(schema, data)).filter(({ path }) => !otherPaths.has(path.join('\0')))
  const unchecked = all.find(({ keyword }) => keyword === 'unchecked')
  const mismatches = all.filter((mismatch) => mismatch !== unchecked)
  const flaws = [
    ...mismatches.map((mismatch) => () => locateMismatch(source, mismatch)),
    ...others.map((other) => () => source.complain(other.path, other.message, other.about)),
  ]
  if (flaws.length === 0) return
  const ending = unchecked === undefined ? '' : `, and ${unchecked.value} items were not checked`
  throw new InvalidFiles(await locateFirst(flaws, (locate) => locate(), ending))
}

function lossyComplaints({ path, source, parsed }: LossyScalar, schema: TSchema): DataComplaint[] {
  const text = textSchemaAt(schema, path)
  if (text === undefined && isExact(source)) return []
  const message = text
    ? text['x-option']?.secret === undefined
      ? needsQuotes({ source, parsed })
      : 'Put this secret in quotes: without quotes, YAML reads another value.'
    : describeInexact(source)
  return [{ path, message }]
}

export function needsQuotes({ source, parsed }: Pick<LossyScalar, 'source' | 'parsed'>): string {
  return `${quote(source)} needs quotes here: without quotes, it is read as ${parsed}.`
}

function textSchemaAt(schema: TSchema, [part, ...rest]: DataComplaint['path']): TSchema | undefined {
  const members: readonly TSchema[] = schema.anyOf ?? []
  const ofMember = members.flatMap((member) => textSchemaAt(member, part === undefined ? [] : [part, ...rest]) ?? [])[0]
  if (ofMember !== undefined) return ofMember
  if (part === undefined)
    return [schema.type].flat().includes('string') && schema.enum === undefined ? schema : undefined
  const inner = schema.properties?.[part] ?? schema.items ?? Object.values(schema.patternProperties ?? {})[0]
  return inner && textSchemaAt(inner, rest)
}

function locateMismatch(source: SourceFile, mismatch: Mismatch): Promise<FileComplaint> {
  const about = mismatch.keyword === 'additionalProperties' ? 'key' : 'value'
  const isUnquoted = /number|boolean/.test(typeof mismatch.value) && isValid(mismatch.expected, String(mismatch.value))
  const message = `${describeMismatch(mismatch)}${isUnquoted ? ' Put it in quotes.' : ''}`
  return source.complain(mismatch.path, message, about)
}

export function describeMismatch({ path, keyword, expected, value }: Mismatch): string {
  const name = path.at(-1) ?? ''
  if (keyword === 'unchecked')
    return `${value} more items of '${name}' were not checked: fix the other complaints first.`
  const subject = path.length === 0 ? 'The content' : `'${path.map((part) => onOneLine(part)).join('.')}'`
  if (keyword === 'required') return `${subject} is missing: it must be ${describeAllowed(expected)}.`
  if (keyword === 'additionalProperties') {
    const keys = Object.keys(expected.properties ?? {})
    const reasons = expected['x-not-settable'] ?? {}
    const reason = Object.hasOwn(reasons, name) ? reasons[name] : undefined
    if (reason !== undefined) return `${quote(name)} cannot be set: ${reason}. Allowed: ${keys.join(', ')}.`
    const allowed = keys.join(', ') || (expected.patternProperties ? describeAllowed(expected) : 'none')
    return `The key ${quote(name)} is unknown.${didYouMean(name, keys)} Allowed: ${allowed}.`
  }
  const message = `${subject} must be ${describeAllowed(expected)}, not ${quoteSafely(expected, value)}.`
  if (typeof value !== 'string') return message
  const values = valuesOf(expected)
  const isNumber = /^(?:integer|number)$/.test(expected.type) && value.trim() !== '' && isValid(expected, Number(value))
  const isQuoted = isNumber || values.includes(value)
  return `${message}${isQuoted ? ' Write it without quotes.' : didYouMean(value, values)}`
}

function valuesOf(schema: TSchema): string[] {
  return [
    ...((schema.enum as unknown[] | undefined) ?? []).map(String),
    ...((schema.anyOf as TSchema[] | undefined) ?? []).flatMap(valuesOf),
  ]
}

/** Keeps the first mismatch of each path, or the last with `x-allowed`. A misspelled key does not count as missing as well. */
export function dedupeMismatches(mismatches: readonly Mismatch[]): Mismatch[] {
  const byPath = new Map<string, Mismatch>()
  for (const mismatch of mismatches) {
    const path = mismatch.path.join('\0')
    if (!byPath.has(path) || mismatch.expected['x-allowed'] !== undefined) byPath.set(path, mismatch)
  }
  const unknownKeys = mismatches.filter(({ keyword }) => keyword === 'additionalProperties').slice(0, MAX_COMPLAINTS)
  for (const { path, expected } of unknownKeys) {
    const intendedKey = nearestWord(path.at(-1) ?? '', Object.keys(expected.properties ?? {})) ?? ''
    const intendedPath = path.with(-1, intendedKey).join('\0')
    if (byPath.get(intendedPath)?.keyword === 'required') byPath.delete(intendedPath)
  }
  return [...byPath.values()]
}
