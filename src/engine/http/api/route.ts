import type { TSchema } from '@sinclair/typebox'
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import { bodySchema } from '../../contract/bodies.js'
import { compileValidator } from '../../contract/check.js'
import { type Contract, statusesOf } from '../../contract/contract.js'
import type { Answer } from '../../journal/exchange.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import type { Operation } from '../../operation.js'
import { asProblem } from '../problems.js'
import { readRawBody } from '../raw-body.js'
import { answer, serve } from './answer.js'
import type { Call, Middleware } from './call.js'
import { createReader } from './receive.js'
import { send, sendProblem } from './send.js'

/** An operation's route: the reader reads, Fastify validates, `answer` decides, `send` answers. */
export function createRoute(operation: Operation, middlewares: readonly Middleware[]): RouteOptions {
  const { contract } = operation
  const read = createReader(contract, middlewares)
  const handle = async (request: FastifyRequest, reply: FastifyReply, isValidated = true) => {
    const received = request.received as ReceivedRequest
    const { query, body } = request as { readonly query: Call['query']; readonly body?: Call['form'] }
    const { sandbox } = request.begun
    const fastify = { request, reply }
    const call: Call = {
      contract,
      handle: operation.handle,
      inspect: operation.inspect,
      request: received,
      query,
      form: body ?? {},
      sandbox,
      fastify,
      isValidated,
      takesAnyToken: false,
      serve,
    }
    return send(call, await runMiddlewares(middlewares, call))
  }
  return {
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    config: { operation },
    schema: schemasOf(contract),
    attachValidation: true,
    preValidation: read,
    handler: handle,
    errorHandler: async (error, request, reply) => {
      if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return handleApiError(error, request, reply)
      // A malformed Content-Type is a violation like any other.
      try {
        request.body = await readRawBody(request)
        await read(request)
        return await handle(request, reply, false)
      } catch (failure) {
        // Fastify calls this handler once for a request.
        return handleApiError(failure as FastifyError, request, reply)
      }
    },
  }
}

function runMiddlewares([first, ...others]: readonly Middleware[], call: Call): Promise<Answer> {
  if (first === undefined) return answer(call)
  const isPlain = call.request.preferences === null && call.sandbox.playback.isIdle
  if (isPlain && !first.isAlwaysOn) return runMiddlewares(others, call)
  return first.answer(call, (next) => runMiddlewares(others, next))
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
