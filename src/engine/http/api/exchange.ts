import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Contract } from '../../contract/contract.js'
import {
  type Answer,
  type Exchange,
  keepAnswer,
  keepRequest,
  type TestName,
  UNANSWERED,
} from '../../journal/exchange.js'
import type { PendingExchange } from '../../journal/journal.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import type { Sandboxes } from '../../sandbox/sandboxes.js'
import { Problem } from '../problems.js'
import { type ChosenSandbox, chooseSandbox, isDecodable } from '../sandbox-of.js'
import { receivedHead } from './receive.js'

/** An exchange whose answer has not left yet. */
export class BegunExchange implements PendingExchange {
  readonly id: string
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  readonly test: TestName
  readonly started: number
  received: number

  constructor(
    readonly request: FastifyRequest,
    readonly sandbox: Sandbox,
    readonly sandboxBy: ChosenSandbox['sandboxBy'],
    /** Null if no operation matches. */
    readonly contract: Contract | null,
  ) {
    this.id = sandbox.journal.nextId()
    this.at = sandbox.clock.now()
    this.test = sandbox.test
    this.started = performance.now()
    this.received = 0
  }

  soFar(): Exchange {
    return exchangeOf(this.request, UNANSWERED, null, null)
  }
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
    request.begun = new BegunExchange(request, sandbox, sandboxBy, contract)
    sandbox.journal.begin(request.begun)
    sandbox.events.emit('begin', request.begun, sandbox)
    // A client that hangs up is noted as aborted.
    reply.raw.once('close', () => endAborted(request))
    done(error)
  }
}

const ENCODE = 'Encode each part of path and query with encodeURIComponent.'

/** `status` is null if no answer reaches the client; `text` is the body that is sent. */
export function endExchange(request: FastifyRequest, answer: Answer, status: number | null, text: string | null): void {
  request.isEnded = true
  const { begun } = request
  const { sandbox } = begun
  const isPast = !sandbox.journal.end(begun)
  const exchange = exchangeOf(request, answer, status, text, isPast)
  if (!isPast) sandbox.journal.add(exchange)
  sandbox.events.emit('exchange', exchange, sandbox)
}

function exchangeOf(
  request: FastifyRequest,
  answer: Answer,
  status: number | null,
  text: string | null,
  isPast = false,
): Exchange {
  const { id, at, sandbox, sandboxBy, test, contract, started } = request.begun
  return {
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
}

/** An answer that did not reach the client is not an outcome. */
export function endAborted(request: FastifyRequest): void {
  if (request.isEnded) return
  const { step, cause, rule, violations, effects, mails } = request.answer ?? UNANSWERED
  const why = 'aborted: the connection ended before the answer'
  endExchange(request, { ...UNANSWERED, step, cause, rule, why, violations, effects, mails }, null, null)
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
