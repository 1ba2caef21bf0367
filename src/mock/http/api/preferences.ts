import type { FastifyRequest } from 'fastify'
import { FAULTS, type Fault, LONGEST_DELAY } from '../../../../schemas/scenario.js'
import { didYouMean, quote } from '../../text/wording.js'
import { Problem } from '../problems.js'

/** The preferences of a request (RFC 7240). */
export interface Preferences {
  readonly code?: number
  /** Milliseconds. */
  readonly delay?: number
  readonly scenario?: string
  readonly fault?: Fault
  readonly mutant?: string
  /** The expected status; does not change the answer. */
  readonly expect?: number
  /** As sent, for `Preference-Applied`. */
  readonly applied: string
}

type Read = Omit<Preferences, 'applied'>

const readers: { readonly [Name in keyof Read]-?: (value: string) => NonNullable<Read[Name]> } = {
  code: (value) => statusOf('code', value),
  expect: (value) => statusOf('expect', value),
  delay: (value) => {
    if (/^\d{1,7}$/.test(value) && Number(value) <= LONGEST_DELAY) return Number(value)
    throw malformed('delay', value, `a whole number of milliseconds from 0 to ${LONGEST_DELAY}`)
  },
  scenario: (value) => value,
  fault: (value) => {
    const fault = FAULTS.find((one) => one === value)
    if (fault !== undefined) return fault
    throw malformed('fault', value, `one of ${FAULTS.join(', ')}`, didYouMean(value, FAULTS))
  },
  mutant: (value) => value,
}

type Name = keyof typeof readers

function statusOf(name: string, value: string): number {
  if (/^\d{3}$/.test(value)) return Number(value)
  throw malformed(name, value, 'a status such as 409')
}

const PREFERENCES = Object.keys(readers) as Name[]
const TWINS = PREFERENCES.map((name) => ({ name, twin: `__${name}` }))

function malformed(name: string, value: string, wanted: string, hint = ''): Problem {
  return new Problem('malformed-preference', `The preference '${name}' must be ${wanted}, not ${quote(value)}.${hint}`)
}

/** Text between commas, which quoted strings may contain; an unclosed quote is an ordinary character. */
const PIECE = /(?:[^",]|"(?:[^"\\]|\\.)*"|")+/g
/** `name[=value]`, quoted or not; parameters follow a semicolon. */
const PREFERENCE = /^([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))\s*)?(?:;|$)/

function parsePrefer(header: string): { readonly name: string; readonly value: string; readonly text: string }[] {
  const pieces = (header.match(PIECE) ?? []).map((piece) => piece.trim()).filter((piece) => piece !== '')
  return pieces.map((text) => {
    const [, name, quoted, bare = ''] = PREFERENCE.exec(text) ?? []
    if (name !== undefined)
      return { name: name.toLowerCase(), value: quoted?.replace(/\\(.)/g, '$1') ?? bare.trim(), text }
    throw new Problem(
      'malformed-preference',
      `The Prefer header cannot be read at ${quote(text)}: write Prefer: code=409, delay=1500, scenario=NAME, fault=NAME, expect=400, mutant=ID.`,
    )
  })
}

/**
 * Reads the `Prefer` header and its query twins, which it removes from the query; the header wins. Ignores unknown
 * preferences (RFC 7240).
 * @throws {Problem} for a value that cannot be read
 */
export function readPreferences(
  header: string | string[] | undefined,
  query: Record<string, unknown>,
): Preferences | null {
  const given = new Map<Name, string>()
  // "If any preference is specified more than once, only the first instance is to be considered" (RFC 7240, section 2).
  for (const { name, value } of header === undefined ? [] : parsePrefer(String(header))) {
    if (isOurs(name) && !given.has(name)) given.set(name, value)
  }
  for (const { name, twin } of TWINS) {
    const value = query[twin]
    if (value === undefined) continue
    if (typeof value !== 'string') throw malformed(name, String(value), 'given once')
    if (!given.has(name)) given.set(name, value)
    delete query[twin]
  }
  if (given.size === 0) return null
  const read: Record<string, unknown> = {}
  for (const [name, value] of given) read[name] = readers[name](value)
  return { ...(read as Read), applied: Array.from(given, asHeader).join(', ') }
}

/** The header without our preferences; undefined if nothing is left. */
export function withoutPreferences(header: string): string | undefined {
  const others = parsePrefer(header).filter(({ name }) => !isOurs(name))
  return others.length === 0 ? undefined : others.map(({ text }) => text).join(', ')
}

export function withoutTwins(url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const pairs = query.split('&')
  const others = pairs.filter((pair) => !TWINS.some(({ twin }) => pair.split('=', 1)[0] === twin))
  if (others.length === pairs.length) return url
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}

/** Scenario names may contain any script, headers only ASCII. */
function asHeader([name, value]: readonly [Name, string]): string {
  const text = value.replace(/[^\x20-\x7e]+/g, encodeURIComponent)
  return `${name}=${/[\s",;=\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text}`
}

function isOurs(name: string): name is Name {
  return Object.hasOwn(readers, name)
}

/** Null if there is none, or it cannot be read. */
export function expectedStatusOf({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>): number | null {
  try {
    return readPreferences(headers.prefer, { ...(query as Record<string, unknown>) })?.expect ?? null
  } catch {
    return null
  }
}
