import type { Form, FormValue } from '../../../schemas/common.js'
import { jsonOr } from '../../text/json.js'
import type { Deviation, Violation } from '../../validation/violation.js'
import type { Exchange } from './exchange.js'

/** An uploaded file as the journal shows it. */
export interface FileEntry {
  readonly filename: string
  readonly mimetype: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
}

type FieldEntry = string | FileEntry

/** An exchange as the journal shows it: secrets replaced, files without their bytes. */
export interface ExchangeEntry {
  readonly id: string
  /** ISO 8601, by the world's clock. */
  readonly at: string
  /** Null for the root. */
  readonly sandbox: string | null
  /** Null when no operation matches. */
  readonly operation: string | null
  readonly outcome: string | null
  readonly cause: string
  readonly method: string
  readonly url: string
  /** Null while under way, and where a fault took the answer's place. */
  readonly status: number | null
  readonly violations: readonly Violation[]
  readonly deviations: readonly Deviation[]
  readonly request: {
    readonly headers: Readonly<Record<string, string>>
    readonly query: Readonly<Record<string, unknown>>
    readonly params: Readonly<Record<string, string>>
    /** The form's fields, or a body that is no form as text; null without a body. */
    readonly body: Readonly<Record<string, FieldEntry | readonly FieldEntry[]>> | string | null
  }
  readonly response: {
    readonly headers: Readonly<Record<string, string>>
    /** The body, parsed where it is JSON. */
    readonly body: unknown
    readonly fault: string | null
  } | null
  /** Milliseconds; null while under way. */
  readonly duration: number | null
  /** Which step of the journey answered, and why. */
  readonly trace: { readonly answeredBy: string; readonly why: string }
}

export const REDACTED = '[redacted]'

/** What the journal shows of an exchange. */
export function entryOf(exchange: Exchange): ExchangeEntry {
  const { contract, sent } = exchange
  const entry: ExchangeEntry = {
    id: exchange.id,
    at: new Date(exchange.at).toISOString(),
    sandbox: exchange.sandbox,
    operation: contract?.id ?? null,
    outcome: exchange.outcome,
    cause: exchange.cause,
    method: exchange.method,
    url: exchange.url,
    status: exchange.status,
    violations: exchange.violations,
    deviations: exchange.deviations,
    request: {
      headers: headersOf(exchange.headers),
      query: exchange.query,
      params: exchange.params,
      body: exchange.form === null ? exchange.text : fieldsOf(exchange.form),
    },
    response: sent && {
      headers: headersOf(sent.headers),
      body: sent.body === null ? null : jsonOr(sent.body, sent.body),
      fault: sent.fault ?? null,
    },
    duration: exchange.duration,
    trace: { answeredBy: exchange.answeredBy, why: exchange.why },
  }
  return redact(entry, secretsOf(exchange))
}

/** Names of headers, query keys and form fields that carry what nobody else should read. */
const SECRET = /token|authorization|cookie|secret|password|api[-_]?key/i

function headersOf(headers: Exchange['headers']): Record<string, string> {
  const entries: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    entries[name] = SECRET.test(name) ? withoutCredentials(String(value)) : String(value)
  }
  return entries
}

/** The scheme may be read, what follows may not. */
function withoutCredentials(value: string): string {
  const scheme = /^(bearer|basic|token|digest) /i.exec(value)?.[1]
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`
}

/** Shorter values are too common in other text to be searched for. */
const SHORTEST_SECRET = 4

/** What this client sent as a token, wherever else it may have ended up. */
function secretsOf({ headers, query, form, url }: Exchange): string[] {
  const inHeaders = secretsIn(headers).flatMap((value) => value.split(/[\s,;=]+/))
  return [...new Set([...inHeaders, ...secretsIn(query), ...secretsIn(form ?? {}), ...rawSecretsIn(url)])]
    .filter((secret) => secret.length >= SHORTEST_SECRET && !/^(bearer|basic|token|digest)$/i.test(secret))
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length)
}

function secretsIn(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values)
    .filter(([name]) => SECRET.test(name))
    .flatMap(([, value]) => [value].flat())
    .filter((value) => typeof value === 'string')
}

/** As they stand in the URL: `+` and escapes are written in more ways than one. */
function rawSecretsIn(url: string): string[] {
  const pairs = url.includes('?') ? url.slice(url.indexOf('?') + 1).split('&') : []
  return pairs
    .filter((pair) => SECRET.test([...new URLSearchParams(pair).keys()].join()))
    .flatMap((pair) => [pair.slice(pair.indexOf('=') + 1), ...new URLSearchParams(pair).values()])
}

function redact<T>(value: T, secrets: readonly string[]): T {
  if (typeof value === 'string')
    return secrets.reduce<string>((text, secret) => text.replaceAll(secret, REDACTED), value) as T
  if (Array.isArray(value)) return value.map((one) => redact(one, secrets)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redact(one, secrets)])) as T
}

function fieldsOf(form: Form): Record<string, FieldEntry | readonly FieldEntry[]> {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(fieldOf) : fieldOf(value as FormValue),
    ]),
  )
}

function fieldOf(value: FormValue): FieldEntry {
  if (typeof value === 'string') return value
  const { filename, mimetype, size, sha256 } = value
  return { filename, mimetype, size, sha256 }
}
