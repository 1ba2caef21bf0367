import type { TSchema } from '@sinclair/typebox'
import type {
  FastifyError,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifySchemaCompiler,
  RouteOptions,
} from 'fastify'
import { bodySchema } from '../../../../schemas/bodies.js'
import { type Contract, statusesOf } from '../../../../schemas/contract.js'
import type { Operation } from '../../operations/handler.js'
import { isValid } from '../../validation/check.js'
import { asProblem } from '../problems.js'
import { readRawBody } from '../raw-body.js'
import { answer } from './answer.js'
import type { Call } from './call.js'
import { type ParsedRequest, readRequest } from './receive.js'
import { send, sendProblem } from './send.js'

/** An operation's route: `readRequest` reads, Fastify validates, `answer` decides, `send` answers. */
export function createRoute(operation: Operation): RouteOptions {
  const { contract } = operation
  return {
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    config: { operation },
    schema: schemasOf(contract),
    // `collectViolations` reports every violation; Fastify stops at the first invalid part.
    attachValidation: true,
    preValidation: readRequest(contract),
    handler: (request, reply) => handleOperation(operation, request, reply),
  }
}

/** Answers with a problem, except for a malformed Content-Type: that is a violation, which the operation answers. */
export async function handleApiError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { operation } = request.routeOptions.config
  if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || operation === undefined) {
    return sendProblem(request, reply, asProblem(error))
  }
  try {
    request.body = await readRawBody(request)
    await readRequest(operation.contract)(request)
    // Fastify has not validated it: make `collectViolations` check every part.
    request.validationError = Object.assign(error, { validation: [], validationContext: 'body' })
    return await handleOperation(operation, request, reply)
  } catch (failure) {
    // Fastify calls this handler once for a request.
    return sendProblem(request, reply, asProblem(failure as FastifyError))
  }
}

async function handleOperation(operation: Operation, request: FastifyRequest, reply: FastifyReply) {
  const { sandbox } = request.arrival
  const call: Call = {
    contract: operation.contract,
    handler: operation.handler,
    request,
    reply,
    sandbox,
    url: request.originalUrl,
    headers: request.headers,
    ...(request.received as ParsedRequest),
  }
  return send(call, await answer(call))
}

/** Only tells valid from invalid; `collectViolations` says why. */
export const validatorCompiler: FastifySchemaCompiler<unknown> =
  ({ schema }) =>
  (value: unknown) =>
    isValid(schema as TSchema, value) || INVALID

const INVALID = { error: new Error('The request does not fit its contract.') }

function schemasOf(contract: Contract): FastifySchema {
  const { params, query: querystring, form } = contract
  const response = Object.fromEntries(statusesOf(contract).map((status) => [status, bodySchema(contract, status)]))
  return { params, querystring, ...(form !== undefined && { body: form }), response }
}
