import type { FastifyRequest } from 'fastify'
import type { Completed, Exchange, Sent } from '../../world/journal/exchange.js'
import type { Answer } from './call.js'

/** What the journal says of an answer. */
export interface Result
  extends Pick<
    Answer,
    'step' | 'cause' | 'why' | 'violations' | 'reasons' | 'deviations' | 'mutant' | 'providerFailure'
  > {
  /** The headers that the mock sets. */
  readonly headers: Readonly<Record<string, string>>
  /** The decoded text of the answer, if its bytes are encoded. */
  readonly text?: string | null | undefined
  /** Whether only the mock says it, so that it is no outcome. */
  readonly problem?: boolean
  readonly correction?: Exchange['correction']
  /** What an unmatched call was meant to send. */
  readonly meant?: Pick<Exchange, 'query' | 'params'>
  /** The status that an unmatched call expects. */
  readonly expected?: number | null
}

const NOTHING = {}

/** Puts the exchange together and enters it in the journal. */
export function record(request: FastifyRequest, result: Result, status: number | null, sent: Sent | null): void {
  request.recorded = true
  const { arrival, received, method, originalUrl: url, headers } = request
  if (arrival === null) return
  const { world, contract, exchange, at, started, sandboxBy } = arrival
  const { mutant, meant, problem = false } = result
  const completed: Completed = {
    id: exchange.id,
    at,
    sandbox: world.name,
    sandboxBy,
    test: world.title,
    contract,
    method,
    url,
    headers,
    query: meant?.query ?? received?.query ?? NOTHING,
    params: meant?.params ?? (contract === null ? NOTHING : (request.params as Record<string, string>)),
    form: received?.form ?? null,
    text: received?.text ?? null,
    status,
    declaredStatus: mutant?.declaredStatus ?? status,
    sent,
    step: result.step,
    cause: result.cause,
    why: result.why,
    violations: result.violations,
    reasons: result.reasons ?? result.violations,
    deviations: result.deviations ?? [],
    expected: result.expected ?? received?.preferences?.expect ?? null,
    correction: result.correction ?? null,
    mutant: mutant?.id ?? null,
    providerFailure: result.providerFailure,
    secret: world.settings.providerToken,
    problem,
    duration: Math.round((performance.now() - started) * 1_000) / 1_000,
  }
  world.journal.add(completed, exchange)
}

/** Enters an exchange whose client left: an answer that did not reach it is not an outcome. */
export function recordAborted(request: FastifyRequest): void {
  if (request.recorded) return
  const { step = 'routing', cause = 'natural', violations = [] } = request.result ?? {}
  const why = 'aborted: the connection ended before the answer'
  record(request, { step, cause, why, violations, headers: {} }, null, null)
}
