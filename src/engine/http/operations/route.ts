import type { TSchema } from '@sinclair/typebox'
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import { compileValidator } from '../../contract/check.js'
import { type Contract, statusesOf } from '../../contract/contract.js'
import { bodySchema } from '../../contract/envelopes.js'
import type { Operation } from '../../operation.js'
import { asProblem } from '../problems.js'
import { readRawBody } from '../raw-body.js'
import { answer, answerNaturally, type Middlewares } from './answer.js'
import type { Call } from './call.js'
import { exchangeOf } from './pending-exchange.js'
import { createReader } from './receive.js'
import { send, sendProblem } from './send.js'

/** An operation's route: the reader reads, Fastify validates, `answer` decides, `send` answers. */
export function createRoute(operation: Operation, middlewares: Middlewares): RouteOptions {
  const { contract } = operation
  const read = createReader(contract, middlewares)
  const handle = async (request: FastifyRequest, reply: FastifyReply, isValidated = true) => {
    const exchange = exchangeOf(request)
    const { sandbox, receivedRequest } = exchange
    if (receivedRequest === null) throw new Error('The request has not been read.')
    const { query, body } = request as { readonly query: Call['query']; readonly body?: Call['form'] }
    const call: Call = {
      operation,
      contract,
      exchange,
      request: receivedRequest,
      query,
      form: body ?? {},
      sandbox,
      fastify: { request, reply },
      isValidated,
      answerNaturally,
    }
    return send(call, await middlewares.around(call, answer))
  }
  return {
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    config: { operation },
    schema: schemasOf(contract),
    attachValidation: true,
    // `attachValidation` keeps the error, and the violations have its words.
    schemaErrorFormatter: () => ({ name: 'ValidationError', message: '' }),
    preValidation: read,
    handler: handle,
    errorHandler: (error, request, reply) =>
      // A malformed Content-Type is a violation like any other.
      error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
        ? answerAnyway(request, reply, async () => {
            await read(request)
            return handle(request, reply, false)
          })
        : handleApiError(error, request, reply),
  }
}

export async function answerAnyway(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    request.body = await readRawBody(request)
    return await answer()
  } catch (failure) {
    // Fastify calls an error handler once for a request.
    return handleApiError(failure as FastifyError, request, reply)
  }
}

export async function handleApiError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  return sendProblem(request, reply, asProblem(error))
}

export const validatorCompiler = ({ schema }: { readonly schema: unknown }) => compileValidator(schema as TSchema)

function schemasOf(contract: Contract): FastifySchema {
  const { params, query: querystring, form } = contract
  const response = Object.fromEntries(statusesOf(contract).map((status) => [status, bodySchema(contract, status)]))
  return { params, querystring, ...(form !== undefined && { body: form }), response }
}
