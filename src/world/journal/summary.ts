import type { Violation } from '../../validation/violation.js'
import { type ExchangeEntry, headOf, reasonOf } from './entry.js'
import type { Exchange } from './exchange.js'
import { redactionOf } from './redact.js'

/** What a list shows of an exchange: its parts, its answer and what would be copied are left out. */
export interface ExchangeSummary
  extends Pick<
    ExchangeEntry,
    'id' | 'at' | 'sandbox' | 'sandboxBy' | 'operation' | 'outcome' | 'cause' | 'method' | 'url' | 'status' | 'duration'
  > {
  readonly fault: string | null
  /** The code of what only the mock said; null for every other answer. */
  readonly problem: string | null
  readonly violations: readonly ViolationSummary[]
  /** How many there are. */
  readonly deviations: number
  /** Why it was answered so; empty for a success as usual. */
  readonly why: string
}

interface ViolationSummary extends Pick<Violation, 'code' | 'message' | 'fix' | 'basis'> {
  readonly expected: boolean
}

/** What a list shows of an exchange; secrets are replaced. */
export function summaryOf(exchange: Exchange): ExchangeSummary {
  const { sent } = exchange
  const redact = redactionOf(exchange)
  return {
    ...headOf(exchange, redact),
    fault: sent?.fault ?? null,
    problem: sent?.headers['x-mock-error'] ?? null,
    violations: exchange.violations.map(({ code, message, fix, basis, expected }) => ({
      code,
      message: redact(message),
      fix: redact(fix),
      basis,
      expected,
    })),
    deviations: exchange.deviations.length,
    why: redact(reasonOf(exchange)),
  }
}
