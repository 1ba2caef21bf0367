import { quoteCitation } from '../contract/citable-texts.js'
import { withoutClauses } from '../contract/cites.js'
import { jsonOr } from '../contract/json.js'
import { REDACTED } from '../contract/wording.js'
import type { Fault } from '../files/scenario.js'
import { curl } from '../judge/curl.js'
import type { KeptForm } from '../judge/received-request.js'
import type { Deviation, Violation } from '../judge/violation.js'
import { correctionOf } from './correction.js'
import { type Effect, type Exchange, outcomeOf, type SandboxSelector } from './exchange.js'
import type { PendingExchange } from './journal.js'
import { isSecretHeader, type Redact, redactionOf, type Viewer } from './redact.js'

export interface ViolationEntry extends Omit<Violation, 'refusedWith' | 'about'> {
  /** The text of the first statement or interpretation that it is based on. */
  readonly rule?: string
  /** The corrected request, as a curl line that fixes all violations; absent if it cannot be known. */
  readonly corrected?: string
}

/** An exchange as the journal shows it: with secrets redacted, and files without their bytes. */
export interface ExchangeEntry {
  readonly id: string
  /** The time of the request in ISO 8601, by the sandbox's clock. */
  readonly at: string
  /** The name of the sandbox; null for the root. */
  readonly sandbox: string | null
  /** How the request named the sandbox; null for the root. */
  readonly sandboxBy: SandboxSelector | null
  /** The id of the operation; null if none matches. */
  readonly operation: string | null
  readonly outcome: string | null
  readonly cause: string
  /** Null if it cannot be read, and so is the URL. */
  readonly method: string | null
  readonly url: string | null
  /** The status of the answer; null while the exchange is in progress, or if a fault replaced the answer. */
  readonly status: number | null
  /** The duration in milliseconds; null while the exchange is in progress. */
  readonly duration: number | null
  readonly violations: readonly ViolationEntry[]
  readonly deviations: readonly Deviation[]
  readonly request: {
    readonly headers: Readonly<Record<string, string>>
    /** As it was sent: texts, and lists for repeated names. */
    readonly query: Readonly<Record<string, string | readonly string[]>>
    readonly params: Readonly<Record<string, string>>
    /** The fields of the form, or any other body as text; null without a body. */
    readonly body: KeptForm | string | null
  }
  readonly response: {
    readonly headers: Readonly<Record<string, string>>
    /** The body, parsed if it is JSON. */
    readonly body: unknown
    readonly fault: Fault | null
  } | null
  /** Which step of the request handling answered, and why. */
  readonly trace: { readonly answeredBy: string; readonly why: string }
  /** The records that the call added, changed or removed. */
  readonly effects: readonly Effect[]
  /** The ids of the mails that the call sent. */
  readonly mails: readonly string[]
}

export const entryOf = cacheViews(makeEntry)

/** Keeps two views: of the last list's origin, which clients choose, and of searches, which have none. */
function cacheViews<View>(make: (exchange: Exchange, viewer: Viewer, origin: string) => View) {
  const cache = new WeakMap<Exchange, Map<string, View>>()
  return (exchange: Exchange, viewer: Viewer, origin = ''): View => {
    const views = cache.get(exchange) ?? new Map<string, View>()
    cache.set(exchange, views)
    const view = views.get(origin) ?? make(exchange, viewer, origin)
    if (views.size === 2 && !views.has(origin)) views.clear()
    views.set(origin, view)
    return view
  }
}

/** Characters of an entry's corrected requests. */
const MAX_CORRECTED = 8 * 1024

function makeEntry(exchange: Exchange, viewer: Viewer, origin: string): ExchangeEntry {
  const { request, answer } = exchange
  const { violations, deviations, effects, mails, text, fault } = answer
  const redact = redactionOf(exchange, viewer)
  const responseHeaders = headersOf(answer.headers, redact, viewer)
  const body = fault === null && text !== null ? redact(jsonOr(text, text)) : null
  const call = correctionOf(exchange, viewer, { origin, redact })
  const corrected = call && curl(call, ' ')
  const correctedCount = corrected === undefined ? 0 : Math.max(1, MAX_CORRECTED / corrected.length)
  return {
    ...headOf(exchange, redact),
    violations: violations.map(({ refusedWith: _, about: __, expected, ...violation }, at) => ({
      ...violation,
      cites: withoutClauses(violation.cites),
      ...(violation.cites[0] && { rule: quoteCitation(viewer.api, violation.cites[0]) }),
      ...redact({ message: violation.message, where: violation.where, fix: violation.fix }),
      expected,
      ...(at < correctedCount && { corrected }),
    })),
    deviations: deviations.map((deviation) => ({ ...deviation, message: redact(deviation.message) })),
    request: {
      headers: headersOf(request.headers, redact, viewer),
      query: redact(request.query),
      params: redact(request.params),
      body: redact(request.form ?? request.text),
    },
    // The connection may have ended before the answer.
    response: exchange.status === null && fault === null ? null : { headers: responseHeaders, body, fault },
    trace: { answeredBy: answer.step, why: redact(answer.why) },
    effects,
    mails,
  }
}

export type ExchangeSummary = ReturnType<typeof makeSummary>

export const summaryOf = cacheViews(makeSummary)

function makeSummary(exchange: Exchange, viewer: Viewer) {
  const { fault, problem, violations, deviations } = exchange.answer
  const redact = redactionOf(exchange, viewer)
  return {
    ...headOf(exchange, redact),
    fault,
    problem,
    violations: violations.map(({ code, message, where, fix, basis, expected }) =>
      redact({ code, message, where, fix, basis, expected }),
    ),
    deviations: deviations.length,
    why: redact(exchange.answer.why),
  }
}

/** `received`: bytes of the body so far; `elapsed`: milliseconds so far. */
export function pendingOf<View extends object>({ received, started }: PendingExchange, view: View) {
  return { ...view, duration: null, received, elapsed: Math.round(performance.now() - started) }
}

function headOf(exchange: Exchange, redact: Redact) {
  const { id, at, sandbox, sandboxBy, contract, answer, request, status, duration } = exchange
  // The name of a sandbox is never redacted.
  const [, prefix = '', path = ''] = /^(\/~[^/?]*)?(.*)$/s.exec(request.url) ?? []
  return {
    id,
    at: new Date(at).toISOString(),
    sandbox,
    sandboxBy,
    operation: contract?.id ?? null,
    outcome: outcomeOf(exchange),
    cause: answer.cause,
    method: request.method || null,
    url: prefix + redact(path) || null,
    status,
    duration,
  }
}

function headersOf(headers: Exchange['request']['headers'], redact: Redact, viewer: Viewer): Record<string, string> {
  const present = Object.entries(headers).filter(([, value]) => value !== undefined)
  const shown = present.map(([name, value]) => {
    const text = [value].flat().join(', ')
    // Values that the mock reads or sends, such as the name of a sandbox, are not secret.
    if (!isSecretHeader(name, viewer)) return [redact(name), name.startsWith('x-mock-') ? text : redact(text)]
    const [scheme = ''] = /^(bearer|basic|token|digest) /i.exec(text) ?? []
    return [redact(name), scheme + REDACTED]
  })
  return Object.fromEntries(shown)
}
