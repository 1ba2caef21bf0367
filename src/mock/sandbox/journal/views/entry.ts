import type { Fault } from '../../../../../schemas/scenario.js'
import { curl } from '../../../text/curl.js'
import { jsonOr } from '../../../text/json.js'
import { REDACTED, type Redact } from '../../../text/redacted.js'
import type { Deviation } from '../../../validation/violation.js'
import type { Exchange, ExchangeHead, KeptForm, NotedViolation } from '../exchange.js'
import { redactionOf, SECRET } from '../redact.js'

export interface ViolationEntry extends Omit<NotedViolation, 'refusedWith'> {
  /** The corrected request, as a curl line that fixes all violations; absent if it cannot be known. */
  readonly corrected?: string
}

/** An exchange as the journal shows it: with secrets redacted, and files without their bytes. */
export interface ExchangeEntry extends ExchangeHead {
  /** The time of the request in ISO 8601, by the sandbox's clock. */
  readonly at: string
  /** The id of the operation; null if none matches. */
  readonly operation: string | null
  readonly outcome: string | null
  readonly cause: string
  readonly violations: readonly ViolationEntry[]
  readonly deviations: readonly Deviation[]
  readonly request: {
    readonly headers: Readonly<Record<string, string>>
    readonly query: Readonly<Record<string, unknown>>
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
  /** The duration in milliseconds; null while the exchange is in progress. */
  readonly duration: number | null
  /** Which step of the request handling answered, and why. */
  readonly trace: { readonly answeredBy: string; readonly why: string }
}

export function entryOf(exchange: Exchange): ExchangeEntry {
  const { sent, violations, correction } = exchange
  const redact = redactionOf(exchange)
  const call = violations.length === 0 ? undefined : correction?.(exchange, redact)
  return {
    ...headOf(exchange, redact),
    violations: redact(violations).map(({ refusedWith: _, expected, ...violation }) => ({
      ...violation,
      expected,
      ...(call && { corrected: curl(call, ' ') }),
    })),
    deviations: redact(exchange.deviations),
    request: {
      headers: headersOf(exchange.headers, redact),
      query: redact(exchange.query),
      params: redact(exchange.params),
      body: redact(exchange.form ?? exchange.text),
    },
    response: sent && {
      headers: headersOf(sent.headers, redact),
      body: sent.body === null ? null : redact(jsonOr(sent.body, sent.body)),
      fault: sent.fault ?? null,
    },
    trace: { answeredBy: exchange.step, why: redact(reasonOf(exchange)) },
  }
}

export type ExchangeSummary = ReturnType<typeof summaryOf>

export function summaryOf(exchange: Exchange) {
  const { sent, problem, violations, deviations } = exchange
  const redact = redactionOf(exchange)
  return {
    ...headOf(exchange, redact),
    fault: sent?.fault ?? null,
    /** The code of a problem; null for every other answer. */
    problem,
    violations: violations.map(({ code, message, fix, basis, expected }) => ({
      code,
      message: redact(message),
      fix: redact(fix),
      basis,
      expected,
    })),
    deviations: deviations.length,
    why: redact(reasonOf(exchange)),
  }
}

function headOf(
  { id, at, sandbox, sandboxBy, contract, outcome, cause, method, status, duration, url }: Exchange,
  redact: Redact,
) {
  // The name of a sandbox is never redacted.
  const [, prefix = '', path = ''] = /^(\/~[^/?]*)?(.*)$/s.exec(url) ?? []
  return {
    id,
    at: new Date(at).toISOString(),
    sandbox,
    sandboxBy,
    operation: contract?.id ?? null,
    outcome,
    cause,
    method,
    url: prefix + redact(path),
    status,
    duration,
  }
}

function headersOf(headers: Exchange['headers'], redact: Redact): Record<string, string> {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    known.map(([name, value]) => {
      const text = String(value)
      // The mock's own words, such as a sandbox, are no secrets.
      if (name.startsWith('x-mock-')) return [name, text]
      if (!SECRET.test(name)) return [name, redact(text)]
      // The scheme is no secret.
      const [scheme = ''] = /^(bearer|basic|token|digest) /i.exec(text) ?? []
      return [name, scheme + REDACTED]
    }),
  )
}

/** The reason for the answer: the failure of a provider, then the step's own reason or the message of an error. */
function reasonOf({ why, providerFailure, status, sent }: Exchange): string {
  const error = why === '' && status !== null && status >= 400 ? jsonOr(sent?.body ?? '', undefined) : undefined
  const message = (error as { error?: { message?: unknown } } | undefined)?.error?.message
  return [providerFailure, why, message].filter((one) => typeof one === 'string' && one !== '').join(' ')
}
