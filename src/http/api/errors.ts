import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { suspicionOf, type Violation, violationOf } from '../../validation/violation.js'
import { asProblem, type Problem } from '../problems.js'
import { readRawBody } from '../receive-bytes.js'
import { expectedStatusOf } from './preferences.js'
import { readRequest } from './receive.js'
import { handleOperation } from './route.js'
import { sendProblem } from './send.js'

/** Answers with a problem, except for a malformed Content-Type: that is a violation, which the operation answers. */
export async function handleApiError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation } = request.routeOptions.config
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && operation !== undefined) {
    request.body = await readRawBody(request)
    await readRequest(operation.contract)(request)
    // Fastify has not validated it: make `collectViolations` check every part.
    request.validationError = Object.assign(error, { validation: [], validationContext: 'body' })
    return handleOperation(operation, request, reply)
  }
  const problem = asProblem(error)
  const violations = violationsOf(problem)
  const cause = problem.code.startsWith('provider-') ? 'provider' : 'natural'
  return sendProblem(request, reply, problem, { cause, violations, expected: expectedStatusOf(request) })
}

function violationsOf({ code, message, mistake }: Problem): readonly Violation[] {
  if (mistake === undefined) return []
  const found = { code, message, ...mistake }
  return [code === 'body-too-large' ? violationOf(found, ['I-16']) : suspicionOf(found)]
}
