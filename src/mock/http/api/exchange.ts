import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Contract } from '../../../../schemas/contract.js'
import type { Completed, Exchange, Sent } from '../../sandbox/journal/exchange.js'
import type { Begun } from '../../sandbox/journal/journal.js'
import type { Sandboxes } from '../../sandbox/sandboxes.js'
import { Problem } from '../problems.js'
import { type ChosenSandbox, chooseSandbox, isDecodable } from '../sandbox-of.js'
import type { Answer } from './call.js'

export interface Arrival extends ChosenSandbox {
  /** Null if no operation matches. */
  readonly contract: Contract | null
  readonly begun: Begun
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  /** Milliseconds, as `performance.now()` counts them. */
  readonly started: number
}

export function beginExchange(sandboxes: Sandboxes): onRequestHookHandler {
  return (request, reply, done) => {
    let error = isDecodable(request.originalUrl)
      ? undefined
      : new Problem('bad-url', `The URL cannot be decoded. ${ENCODE}`).at('url', ENCODE)
    const contract = (error === undefined && request.routeOptions.config.operation?.contract) || null
    let chosen: ChosenSandbox = { sandbox: sandboxes.root, sandboxBy: null }
    try {
      chosen = chooseSandbox(request, contract?.tokenHeaders ?? [], sandboxes)
    } catch (problem) {
      error ??= problem as Problem
    }
    const { sandbox, sandboxBy } = chosen
    request.arrival = {
      sandbox,
      sandboxBy,
      contract,
      begun: sandbox.journal.begin(),
      at: sandbox.clock.now(),
      started: performance.now(),
    }
    // A client that hangs up is noted as aborted.
    reply.raw.once('close', () => recordAborted(request))
    done(error)
  }
}

const ENCODE = 'Encode each part of path and query with encodeURIComponent.'

/** The part of an answer that the journal keeps. */
export interface ExchangeResult extends Omit<Answer, 'status' | 'body' | 'headers'> {
  readonly sentHeaders: Sent['headers']
  readonly problem?: string
  readonly correction?: Exchange['correction']
  /** The status that an unmatched call expects (`Prefer: expect`). */
  readonly expected?: number | null
}

const NOTHING = {}

export function record(
  request: FastifyRequest,
  result: ExchangeResult,
  status: number | null,
  sent: Sent | null,
): void {
  request.recorded = true
  const { arrival, received, method, originalUrl: url, headers } = request
  const { sandbox, contract, begun, at, started, sandboxBy } = arrival
  const { mutant } = result
  const completed: Completed = {
    id: begun.id,
    at,
    sandbox: sandbox.name,
    sandboxBy,
    test: sandbox.title,
    contract,
    method,
    url,
    headers,
    query: received?.query ?? NOTHING,
    params: received?.params ?? (contract === null ? NOTHING : (request.params as Record<string, string>)),
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
    secret: sandbox.settings.providerToken,
    problem: result.problem ?? null,
    duration: Math.round((performance.now() - started) * 1_000) / 1_000,
  }
  sandbox.journal.add(completed, begun)
}

/** An answer that did not reach the client is not an outcome. */
export function recordAborted(request: FastifyRequest): void {
  if (request.recorded) return
  const { step = 'routing', cause = 'natural', violations = [] } = request.result ?? {}
  const why = 'aborted: the connection ended before the answer'
  record(request, { step, cause, why, violations, sentHeaders: {} }, null, null)
}

/** Before the answer leaves: a client that asks the journal next finds the exchange there. */
export function recordOnSend(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error?: null) => void,
): void {
  const { result } = request
  if (result !== null && !request.recorded) {
    const body = payload === undefined || payload === null ? null : (result.provider?.text ?? String(payload))
    record(request, result, reply.statusCode, { headers: result.sentHeaders, body })
  }
  done()
}
