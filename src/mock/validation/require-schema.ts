import type { TSchema } from '@sinclair/typebox'
import { type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import type { SourceFile } from '../text/source-file.js'
import { describeAllowed, didYouMean, listedKeys, onOneLine, quote, quoteGiven } from '../text/wording.js'
import { findMismatches, type Mismatch } from './check.js'

/** How a value departs from a schema, in words; empty if it fits. */
export function explainMismatches(schema: TSchema, value: unknown): string[] {
  return distinctMismatches(findMismatches(schema, value)).map((one) => describeMismatch(one))
}

/** A complaint about data of the user's, at a path in it. */
export interface DataComplaint {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** Which of the two is wrong; the value if it is not said. */
  readonly about?: 'key' | 'value'
}

/**
 * Checks the content of a file, or `data` made from it; `others` are complaints that no schema makes.
 * @throws {InvalidFiles} with every complaint, each at its place in the file
 */
export async function requireSchema(
  source: SourceFile,
  schema: TSchema,
  data: unknown = source.data,
  others: readonly DataComplaint[] = [],
): Promise<void> {
  const mismatches = distinctMismatches(findMismatches(schema, data))
  const count = mismatches.length + others.length
  if (count === 0) return
  const complaints = await Promise.all([
    ...mismatches.slice(0, MOST_COMPLAINTS).map((one) => locateMismatch(source, one)),
    ...others
      .slice(0, Math.max(0, MOST_COMPLAINTS - mismatches.length))
      .map(({ path, message, about }) => source.complain(path, message, about)),
  ])
  const hidden = count - complaints.length
  if (hidden > 0) complaints.push({ file: source.file, message: `${hidden} more complaints are not shown.` })
  throw new InvalidFiles(complaints)
}

/** Complaints about one file that are shown: the first ones often explain the others. */
export const MOST_COMPLAINTS = 20

/** The complaint about a mismatch, at its place in the file. */
function locateMismatch(source: SourceFile, mismatch: Mismatch): Promise<FileComplaint> {
  const about = mismatch.keyword === 'additionalProperties' ? 'key' : 'value'
  const message = describeMismatch(mismatch)
  return source.complain(mismatch.path, message, about)
}

export function describeMismatch({ path, keyword, expected, value }: Mismatch): string {
  const name = path.at(-1) ?? ''
  const subject = path.length === 0 ? 'The content' : `'${path.map((one) => onOneLine(one)).join('.')}'`
  if (keyword === 'required') return `${subject} is missing: it must be ${describeAllowed(expected)}.`
  if (keyword === 'additionalProperties') {
    const known = listedKeys(expected)
    const reason = expected['x-fixed']?.[name]
    if (reason !== undefined) return `${quote(name)} cannot be set: ${reason}. Allowed: ${known.join(', ')}.`
    return `The key ${quote(name)} is unknown.${didYouMean(name, known)} Allowed: ${known.join(', ')}.`
  }
  const hint = typeof value === 'string' ? didYouMean(value, valuesOf(expected)) : ''
  return `${subject} must be ${describeAllowed(expected)}, not ${quoteGiven(expected, value)}.${hint}`
}

function valuesOf(schema: TSchema): string[] {
  return [
    ...((schema.enum as unknown[] | undefined) ?? []).map(String),
    ...((schema.anyOf as TSchema[] | undefined) ?? []).flatMap(valuesOf),
  ]
}

/** One mismatch for each place: the first, or the last one with an `x-allowed` in its schema. */
export function distinctMismatches(mismatches: readonly Mismatch[]): Mismatch[] {
  const places = new Map<string, Mismatch>()
  for (const mismatch of mismatches) {
    const place = mismatch.path.join('\u0000')
    if (!places.has(place) || mismatch.expected['x-allowed'] !== undefined) places.set(place, mismatch)
  }
  return [...places.values()]
}
