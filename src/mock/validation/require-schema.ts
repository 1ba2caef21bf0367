import type { TSchema } from '@sinclair/typebox'
import { type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import type { SourceFile } from '../text/source-file.js'
import { describeAllowed, didYouMean, listedKeys, onOneLine, quote, quoteGiven } from '../text/wording.js'
import { type Departure, findDepartures } from './check.js'

/** How a value departs from a schema, in words; empty if it fits. */
export function explainDepartures(schema: TSchema, value: unknown): string[] {
  return distinctDepartures(findDepartures(schema, value)).map((one) => describeDeparture(one))
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
  const departures = distinctDepartures(findDepartures(schema, data))
  const count = departures.length + others.length
  if (count === 0) return
  const complaints = await Promise.all([
    ...departures.slice(0, MOST_COMPLAINTS).map((one) => locateDeparture(source, one)),
    ...others
      .slice(0, Math.max(0, MOST_COMPLAINTS - departures.length))
      .map(({ path, message, about }) => source.complain(path, message, about)),
  ])
  const hidden = count - complaints.length
  if (hidden > 0) complaints.push({ file: source.file, message: `${hidden} more complaints are not shown.` })
  throw new InvalidFiles(complaints)
}

/** Complaints about one file that are shown: the first ones often explain the others. */
export const MOST_COMPLAINTS = 20

/** The complaint about a departure, at its place in the file. */
function locateDeparture(source: SourceFile, departure: Departure): Promise<FileComplaint> {
  const about = departure.keyword === 'additionalProperties' ? 'key' : 'value'
  const message = describeDeparture(departure)
  return source.complain(departure.path, message, about)
}

export function describeDeparture({ path, keyword, expected, value }: Departure): string {
  const name = path.at(-1) ?? ''
  const subject = path.length === 0 ? 'The content' : `'${path.map((one) => onOneLine(one)).join('.')}'`
  if (keyword === 'required') return `${subject} is missing: it must be ${describeAllowed(expected)}.`
  if (keyword === 'additionalProperties') {
    const known = listedKeys(expected)
    const reason = expected['x-refused']?.[name]
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

/** One departure for each place: the first, or the last one with an `x-allowed` in its schema. */
export function distinctDepartures(departures: readonly Departure[]): Departure[] {
  const places = new Map<string, Departure>()
  for (const departure of departures) {
    const place = departure.path.join('\u0000')
    if (!places.has(place) || departure.expected['x-allowed'] !== undefined) places.set(place, departure)
  }
  return [...places.values()]
}
