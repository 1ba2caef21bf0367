import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { suspicionOf, type Violation, violationOf } from '../../validation/violation.js'
import { asProblem } from '../errors.js'
import type { Problem } from '../problems.js'
import { receiveBytes } from '../receive-bytes.js'
import { UnknownSandbox } from '../sandbox-selectors.js'
import { expectationOf } from './preferences.js'
import { readRequest } from './receive.js'
import { handle } from './route.js'
import { sendProblem } from './send.js'

/** Answers what was thrown: as a problem, unless only the Content-Type is malformed, which the operation judges. */
export async function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation } = request.routeOptions.config
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && operation !== undefined) {
    request.body = await receiveBytes(request)
    await readRequest(operation.contract)(request)
    // Fastify has not come to validate it: `judge` checks every part.
    request.validationError = Object.assign(error, { validation: [], validationContext: 'body' })
    return handle(operation, request, reply)
  }
  const problem = asProblem(error)
  const violations = violationsOf(problem)
  const cause = problem.code.startsWith('provider-') ? 'provider' : 'natural'
  return sendProblem(request, reply, problem, { cause, violations, expected: expectationOf(request) })
}

/** What the client did wrong, if a problem tells. */
function violationsOf(problem: Problem): readonly Violation[] {
  const { code, message } = problem
  // The document has no sandboxes: no rule is broken.
  if (problem instanceof UnknownSandbox) return [suspicionOf({ code, message, where: problem.where, fix: problem.fix })]
  if (code === 'bad-url') {
    return [
      suspicionOf({ code, message, where: 'url', fix: 'Encode each part of path and query with encodeURIComponent.' }),
    ]
  }
  if (code !== 'body-too-large') return []
  const fix = 'Send less, or start the server with a higher --body-limit.'
  return [violationOf({ code, message, where: 'body', fix }, ['I-16'])]
}
