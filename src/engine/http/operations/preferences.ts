import type { FastifyRequest } from 'fastify'
import { didYouMean, quote } from '../../contract/wording.js'
import { FAULTS, LONGEST_DELAY } from '../../files/scenario.js'
import { PREFERENCES, splitPreferences } from '../../judge/preference-names.js'
import type { Preferences } from '../../judge/received-request.js'
import { headerAsUtf8 } from '../../judge/token.js'
import { Problem } from '../problems.js'

type OwnPreferences = Pick<Preferences, (typeof PREFERENCES)[number]>

const readers: {
  readonly [Name in keyof OwnPreferences]-?: (value: string, where: string) => NonNullable<OwnPreferences[Name]>
} = {
  code: (value, where) => statusOf('code', value, where),
  expect: (value, where) => statusOf('expect', value, where),
  delay: (value, where) => {
    if (/^\d{1,7}$/.test(value) && Number(value) <= LONGEST_DELAY) return Number(value)
    throw malformed('delay', value, where, `a whole number of milliseconds from 0 to ${LONGEST_DELAY}`)
  },
  scenario: (value) => value,
  fault: (value, where) => {
    const fault = FAULTS.find((one) => one === value)
    if (fault !== undefined) return fault
    throw malformed('fault', value, where, `one of ${FAULTS.join(', ')}`, didYouMean(value, FAULTS))
  },
}

function statusOf(name: string, value: string, where: string): number {
  if (/^\d{3}$/.test(value)) return Number(value)
  throw malformed(name, value, where, 'a status such as 409')
}

const EXAMPLES = 'code=409, delay=1500, scenario=NAME, fault=NAME, expect=400'

function malformed(name: string, value: string, where: string, wanted: string, hint = ''): Problem {
  const detail = `The preference '${name}' must be ${wanted}, not ${quote(value)}.${hint}`
  return new Problem('malformed-preference', detail).withViolation(where, `Make it ${wanted}.`)
}

const IN_HEADER = 'headers.prefer'

/** `name[=value]`, quoted or not; parameters follow a semicolon. */
const PREFERENCE = /^([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))\s*)?(?:;|$)/

function parsePrefer(header: string, ofTools: readonly string[]) {
  return splitPreferences(header).map((text) => {
    const [, name, quoted, bare = ''] = PREFERENCE.exec(text) ?? []
    if (name !== undefined)
      return { name: name.toLowerCase(), value: quoted?.replace(/\\(.)/g, '$1') ?? bare.trim(), text }
    const examples = [EXAMPLES, ...ofTools.map((name) => `${name}=ID`)].join(', ')
    throw new Problem(
      'malformed-preference',
      `The Prefer header cannot be read at ${quote(text)}: write Prefer: ${examples}.`,
    ).withViolation(IN_HEADER, `Write Prefer: ${examples}.`)
  })
}

type PreferringRequest = Pick<FastifyRequest, 'url' | 'headers'> & { readonly query: unknown }

/** Removes the query twins from the query; the header wins. @throws {Problem} for a value that cannot be read */
export function readPreferences(request: PreferringRequest, ofTools: readonly string[]): Preferences | null {
  const query = request.query as Record<string, unknown>
  const { prefer } = request.headers
  const names: readonly string[] = [...PREFERENCES, ...ofTools]
  const pieces = prefer === undefined ? [] : parsePrefer(headerAsUtf8(String(prefer)), ofTools)
  const given = new Map<string, string>()
  // Only the first instance of a preference counts (RFC 7240, section 2).
  for (const { name, value } of pieces) if (names.includes(name) && !given.has(name)) given.set(name, value)
  for (const name of names) {
    const value = query[`__${name}`]
    if (value === undefined) continue
    if (typeof value !== 'string') throw malformed(name, String(value), `query.__${name}`, 'one value')
    if (!given.has(name)) given.set(name, value)
    delete query[`__${name}`]
  }
  if (given.size === 0) return null
  const fieldOf = (name: string) => (pieces.some((one) => one.name === name) ? IN_HEADER : `query.__${name}`)
  const sentIn = Object.fromEntries(Array.from(given.keys(), (name) => [name, fieldOf(name)]))
  const ownPreferences: Record<string, unknown> = {}
  const toolPreferences: Record<string, string> = {}
  for (const [name, value] of given) {
    if (ofTools.includes(name)) toolPreferences[name] = value
    else ownPreferences[name] = readers[name as keyof OwnPreferences](value, sentIn[name] as string)
  }
  const kept = pieces.filter(({ name }) => !names.includes(name)).map(({ text }) => text)
  const otherHeader = kept.length === 0 ? undefined : kept.join(', ')
  const withoutPreferences = { url: withoutTwins(request.url, names), prefer: otherHeader }
  const appliedHeader = Array.from(given, asHeader).join(', ')
  return { ...(ownPreferences as OwnPreferences), toolPreferences, sentIn, appliedHeader, withoutPreferences }
}

function withoutTwins(url: string, names: readonly string[]): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const pairs = query.split('&')
  const others = pairs.filter((pair) => !names.some((name) => pair.split('=', 1)[0] === `__${name}`))
  if (others.length === pairs.length) return url
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}

/** Scenario names may contain any script, headers only ASCII. */
function asHeader([name, value]: readonly [string, string]): string {
  const text = value.replace(/[^\x20-\x7e]+/g, encodeURIComponent)
  return `${name}=${/[\s",;=\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text}`
}

export function expectedStatusOf({ url, headers, query }: PreferringRequest): number | undefined {
  try {
    return readPreferences({ url, headers, query: { ...(query as object) } }, [])?.expect
  } catch {
    return undefined
  }
}
