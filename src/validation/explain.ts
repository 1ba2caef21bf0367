import type { TSchema } from '@sinclair/typebox'
import { type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import type { SourceFile } from '../text/source-file.js'
import { allowed, didYouMean, listedKeys, onOneLine, quote, quoteGiven } from '../text/wording.js'
import { checkOf, type Departure } from './check.js'

/** Every way in which a value departs from a schema, in words; empty where it fits. */
export function explainDepartures(schema: TSchema, value: unknown): string[] {
  return distinctDepartures(checkOf(schema)(value)).map((one) => describeDeparture(one))
}

/** What is wrong with data though its schema does not tell, and where. */
export interface Mistake {
  readonly path: readonly string[]
  readonly message: string
  readonly about: 'key' | 'value'
}

/**
 * Checks what a file holds; `data` is what is checked where it is not the file's data as it stands, `mistakes` what is
 * wrong with it besides, `keys` how the file spells keys of the data.
 * @throws {InvalidFiles} with every departure and mistake, each where it stands in the file
 */
export async function requireSchema(
  source: SourceFile,
  schema: TSchema,
  data: unknown = source.data,
  mistakes: readonly Mistake[] = [],
  keys?: ReadonlyMap<string, string>,
): Promise<void> {
  const departures = distinctDepartures(checkOf(schema)(data))
  const all = [
    ...departures.map((one) => () => locateDeparture(source, one, keys)),
    ...mistakes.map(
      ({ path, message, about }) =>
        () =>
          source.complain('schema', path, message, about),
    ),
  ]
  if (all.length === 0) return
  const complaints = await Promise.all(all.slice(0, MOST_COMPLAINTS).map((locate) => locate()))
  const more = all.length - complaints.length
  if (more > 0)
    complaints.push({ code: 'schema', file: source.file, message: `${more} more complaints are not shown.` })
  throw new InvalidFiles(complaints)
}

/** Complaints about one file that are shown: the first ones often explain the others. */
const MOST_COMPLAINTS = 20

/** A departure as a complaint about the place where it stands in the file. */
export async function locateDeparture(
  source: SourceFile,
  departure: Departure,
  keys?: ReadonlyMap<string, string>,
): Promise<FileComplaint> {
  const about = departure.keyword === 'additionalProperties' ? 'key' : 'value'
  const path = departure.path.map((one, at) => (at === 0 ? (keys?.get(one) ?? one) : one))
  const { frame, ...complaint } = await source.complain('schema', path, describeDeparture(departure, path), about)
  // The lines of a file would show what a message does not.
  const isSecret = departure.expected['x-option']?.secret !== undefined
  return frame === undefined || isSecret ? complaint : { ...complaint, frame }
}

/** A departure in words; `place` is its path where the file spells it in another way. */
export function describeDeparture(
  { path, keyword, expected, value }: Departure,
  place: readonly string[] = path,
): string {
  const name = path.at(-1) ?? ''
  const subject = path.length === 0 ? 'The content' : `'${place.map((one) => onOneLine(one)).join('.')}'`
  if (keyword === 'required') return `${subject} is missing: it must be ${allowed(expected)}.`
  if (keyword === 'additionalProperties') {
    const known = listedKeys(expected)
    const reason = expected['x-refused']?.[name]
    if (reason !== undefined) return `${quote(name)} cannot be switched: ${reason}. Allowed: ${known.join(', ')}.`
    return `The key ${quote(place.at(-1) ?? '')} is unknown.${didYouMean(name, known)} Allowed: ${known.join(', ')}.`
  }
  const hint = typeof value === 'string' ? didYouMean(value, valuesOf(expected)) : ''
  return `${subject} must be ${allowed(expected)}, not ${quoteGiven(expected, value)}.${hint}`
}

function valuesOf(schema: TSchema): string[] {
  return [
    ...((schema.enum as unknown[] | undefined) ?? []).map(String),
    ...((schema.anyOf as TSchema[] | undefined) ?? []).flatMap(valuesOf),
  ]
}

/** One departure for each place: the first, or the one whose schema says in words what it allows. */
export function distinctDepartures(departures: readonly Departure[]): Departure[] {
  const places = new Map<string, Departure>()
  for (const departure of departures) {
    const place = departure.path.join('\u0000')
    if (!places.has(place) || departure.expected['x-allowed'] !== undefined) places.set(place, departure)
  }
  return [...places.values()]
}
