import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { asProblem } from '../problems.js'
import { readRawBody } from '../receive-bytes.js'
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
  if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || operation === undefined) {
    return sendProblem(request, reply, asProblem(error))
  }
  request.body = await readRawBody(request)
  await readRequest(operation.contract)(request)
  // Fastify has not validated it: make `collectViolations` check every part.
  request.validationError = Object.assign(error, { validation: [], validationContext: 'body' })
  return handleOperation(operation, request, reply)
}
