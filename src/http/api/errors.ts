import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { suspicionOf, violationOf } from '../../validation/violation.js'
import type { Exchange } from '../../world/journal/exchange.js'
import { ClientLeft } from '../body.js'
import { asProblem } from '../errors.js'
import type { Problem } from '../problems.js'
import { UnknownWorld } from '../sandbox-ways.js'
import { declaredAnswer } from './answer.js'
import { abandon, deliver, deliverProblem } from './deliver.js'
import { StepContext } from './step-context.js'
import { expectationOf } from './unmatched.js'
import { malformedType, type UnreadableBody } from './unreadable-body.js'

/** Answers what a step or Fastify threw: as the API would where the client erred, else as a problem. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { arrival } = request
  const unreadable = unreadableBody(error, request)
  if (arrival instanceof StepContext && unreadable !== undefined) {
    const { exchange, contract } = arrival
    exchange.violations = [...exchange.violations, unreadable.violation]
    exchange.why = unreadable.message
    deliver(arrival, declaredAnswer(arrival, contract.invalid, unreadable.message))
  } else if (arrival === null) asProblem(error, request).send(reply)
  else if (error instanceof ClientLeft) abandon(arrival, error.message)
  else {
    const problem = asProblem(error, request)
    if (problem instanceof UnknownWorld) noteUnknownWorld(arrival.exchange, problem, request)
    if (problem.code === 'body-too-large') noteTooLarge(arrival.exchange, problem)
    deliverProblem(arrival, problem)
  }
  return reply
}

/** The document knows no sandboxes: it is surely a mistake, but no rule is broken. */
function noteUnknownWorld(
  exchange: Exchange,
  { code, message, where, fix }: UnknownWorld,
  request: FastifyRequest,
): void {
  exchange.violations = [suspicionOf({ code, message, where, fix })]
  exchange.answeredBy = 'routing'
  exchange.expected = expectationOf(request)
}

/** The limit is ours: the document has none (I-16). */
function noteTooLarge(exchange: Exchange, { code, message }: Problem): void {
  const found = { code, message, where: 'body', fix: 'Send less, or start the server with a higher --body-limit.' }
  exchange.violations = [...exchange.violations, violationOf(found, ['I-16'])]
}

/** A body that cannot be read, whatever the operation takes (I-13). */
function unreadableBody(error: FastifyError, { headers }: FastifyRequest): UnreadableBody | undefined {
  if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return undefined
  return malformedType(headers['content-type'])
}
