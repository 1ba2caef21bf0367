import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Contract } from '../../../../schemas/contract.js'
import { type Answer, keepAnswer, keepRequest, type TestName } from '../../sandbox/journal/exchange.js'
import type { Begun } from '../../sandbox/journal/journal.js'
import type { Sandboxes } from '../../sandbox/sandboxes.js'
import { Problem } from '../problems.js'
import { type ChosenSandbox, chooseSandbox, isDecodable } from '../sandbox-of.js'
import { NO_VIOLATIONS } from './call.js'
import { receivedHead } from './receive.js'

/** An exchange whose answer has not left yet. */
export interface BegunExchange extends ChosenSandbox, Begun {
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  readonly test: TestName
  /** Null if no operation matches. */
  readonly contract: Contract | null
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
    const { id, resets } = sandbox.journal.begin()
    const at = sandbox.clock.now()
    const { test } = sandbox
    request.begun = { id, resets, at, sandbox, sandboxBy, test, contract, started: performance.now() }
    sandbox.events.emit('begin', { id, at, sandbox: sandbox.name, sandboxBy, contract }, sandbox)
    // A client that hangs up is noted as aborted.
    reply.raw.once('close', () => endAborted(request))
    done(error)
  }
}

const ENCODE = 'Encode each part of path and query with encodeURIComponent.'

/** `status` is null if no answer reaches the client; `text` is the body that is sent. */
export function endExchange(request: FastifyRequest, answer: Answer, status: number | null, text: string | null): void {
  request.isEnded = true
  const { id, resets, at, sandbox, sandboxBy, test, contract, started } = request.begun
  const isPast = sandbox.journal.isPast({ id, resets })
  const exchange = {
    id,
    at,
    sandbox: sandbox.name,
    sandboxBy,
    test,
    contract,
    request: keepRequest(request.received ?? receivedHead(request)),
    answer: keepAnswer(answer, text),
    status,
    duration: Math.round((performance.now() - started) * 1_000) / 1_000,
    isPast,
  }
  if (!isPast) sandbox.journal.add(exchange)
  sandbox.events.emit('exchange', exchange, sandbox)
}

/** An answer that did not reach the client is not an outcome. */
export function endAborted(request: FastifyRequest): void {
  if (request.isEnded) return
  const { step = 'routing', cause = 'natural', violations = NO_VIOLATIONS } = request.answer ?? {}
  const why = 'aborted: the connection ended before the answer'
  endExchange(request, { status: 0, body: null, step, cause, why, violations }, null, null)
}

/** Before the answer leaves: a client that asks the journal next finds the exchange there. */
export function endOnSend(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error?: null) => void,
): void {
  const { answer } = request
  if (answer !== null && !request.isEnded) {
    // Fastify makes one up for bytes.
    if (answer.passedOn !== undefined && answer.headers?.['content-type'] === undefined)
      reply.removeHeader('content-type')
    const text = payload === undefined || payload === null ? null : (answer.passedOn?.text ?? String(payload))
    endExchange(request, answer, reply.statusCode, text)
  }
  done()
}
