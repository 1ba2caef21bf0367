import type { FastifyRequest } from 'fastify'
import { didYouMean, quote } from '../../contract/wording.js'
import { FAULTS, LONGEST_DELAY_MS } from '../../files/scenario.js'
import { PREFERENCES, splitPreferences } from '../../judge/preference-names.js'
import type { Preferences } from '../../judge/received-request.js'
import { headerAsUtf8 } from '../../judge/token.js'
import { Problem } from '../problems.js'

type EnginePreferences = Pick<Preferences, (typeof PREFERENCES)[number]>

const parsers: {
  readonly [Name in keyof EnginePreferences]-?: (value: string, where: string) => NonNullable<EnginePreferences[Name]>
} = {
  code: (value, where) => parseStatus('code', value, where),
  expect: (value, where) => parseStatus('expect', value, where),
  delay: (value, where) => {
    if (/^\d{1,7}$/.test(value) && Number(value) <= LONGEST_DELAY_MS) return Number(value)
    throw malformed('delay', value, where, `a whole number of milliseconds from 0 to ${LONGEST_DELAY_MS}`)
  },
  scenario: (value) => value,
  fault: (value, where) => {
    const fault = FAULTS.find((name) => name === value)
    if (fault !== undefined) return fault
    throw malformed('fault', value, where, `one of ${FAULTS.join(', ')}`, didYouMean(value, FAULTS))
  },
}

function parseStatus(name: string, value: string, where: string): number {
  if (/^\d{3}$/.test(value)) return Number(value)
  throw malformed(name, value, where, 'a status such as 409')
}

const EXAMPLES = 'code=409, delay=1500, scenario=NAME, fault=NAME, expect=400'

function malformed(name: string, value: string, where: string, expected: string, hint = ''): Problem {
  const detail = `The preference '${name}' must be ${expected}, not ${quote(value)}.${hint}`
  return new Problem('malformed-preference', detail).withViolation(where, `Set it to ${expected}.`)
}

const IN_HEADER = 'headers.prefer'

/** `name[=value]`, quoted or not; parameters follow a semicolon. */
const PREFERENCE = /^([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))\s*)?(?:;|$)/

function parsePrefer(header: string, toolNames: readonly string[]) {
  return splitPreferences(header).map((text) => {
    const [, name, quoted, unquoted = ''] = PREFERENCE.exec(text) ?? []
    if (name !== undefined)
      return { name: name.toLowerCase(), value: quoted?.replace(/\\(.)/g, '$1') ?? unquoted.trim(), text }
    const examples = [EXAMPLES, ...toolNames.map((toolName) => `${toolName}=ID`)].join(', ')
    const message = `The Prefer header cannot be read at ${quote(text)}: write Prefer: ${examples}.`
    throw new Problem('malformed-preference', message).withViolation(IN_HEADER, `Write Prefer: ${examples}.`)
  })
}

type RequestWithPreferences = Pick<FastifyRequest, 'url' | 'headers'> & { readonly query: unknown }

/** Removes the preferences from the query; the header wins. @throws {Problem} for a value that cannot be read */
export function readPreferences(request: RequestWithPreferences, toolNames: readonly string[]): Preferences | null {
  const query = request.query as Record<string, unknown>
  const { prefer } = request.headers
  const names: readonly string[] = [...PREFERENCES, ...toolNames]
  const pieces = prefer === undefined ? [] : parsePrefer(headerAsUtf8(String(prefer)), toolNames)
  const values = new Map<string, string>()
  // Only the first instance of a preference counts (RFC 7240, section 2).
  for (const { name, value } of pieces) if (names.includes(name) && !values.has(name)) values.set(name, value)
  for (const name of names) {
    const value = query[`__${name}`]
    if (value === undefined) continue
    if (typeof value !== 'string') throw malformed(name, String(value), `query.__${name}`, 'one value')
    if (!values.has(name)) values.set(name, value)
    delete query[`__${name}`]
  }
  if (values.size === 0) return null
  const fieldOf = (name: string) => (pieces.some((piece) => piece.name === name) ? IN_HEADER : `query.__${name}`)
  const sentIn = Object.fromEntries(Array.from(values.keys(), (name) => [name, fieldOf(name)]))
  const enginePreferences: Record<string, unknown> = {}
  const toolPreferences: Record<string, string> = {}
  for (const [name, value] of values) {
    if (toolNames.includes(name)) toolPreferences[name] = value
    else enginePreferences[name] = parsers[name as keyof EnginePreferences](value, sentIn[name] as string)
  }
  const otherPieces = pieces.filter(({ name }) => !names.includes(name)).map(({ text }) => text)
  const otherHeader = otherPieces.length === 0 ? undefined : otherPieces.join(', ')
  const withoutPreferences = { url: removePreferences(request.url, names), prefer: otherHeader }
  // A fault comes before a status, and both before a scenario.
  const [decisive, ...overridden] = ['fault', 'code', 'scenario'].filter((name) => values.has(name))
  const applied = [...values].filter(([name]) => name === decisive || !overridden.includes(name))
  const appliedHeader = applied.map(formatPreference).join(', ')
  return { ...(enginePreferences as EnginePreferences), toolPreferences, sentIn, appliedHeader, withoutPreferences }
}

function removePreferences(url: string, names: readonly string[]): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const pairs = query.split('&')
  const others = pairs.filter((pair) => !names.some((name) => pair.split('=', 1)[0] === `__${name}`))
  if (others.length === pairs.length) return url
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}

/** Scenario names may contain letters of any script, headers only ASCII. */
function formatPreference([name, value]: readonly [string, string]): string {
  const text = value.replace(/[^\x20-\x7e]+/g, encodeURIComponent)
  return `${name}=${/[\s",;=\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text}`
}

export function expectedStatusOf({ url, headers, query }: RequestWithPreferences): number | undefined {
  try {
    return readPreferences({ url, headers, query: { ...(query as object) } }, [])?.expect
  } catch {
    return undefined
  }
}
