import multipart from '@fastify/multipart'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import { contractsOf } from '../../api.js'
import { compileValidator } from '../../contract/check.js'
import { type Contract, statusesOf } from '../../contract/contract.js'
import { bodySchema } from '../../contract/envelopes.js'
import type { Operation } from '../../operation.js'
import { registerCors } from '../cors.js'
import { asProblem } from '../problems.js'
import { answer, answerNaturally, type Middlewares } from './answer.js'
import type { Call } from './call.js'
import { MAX_PARTS } from './part-charset.js'
import { beginExchange, endOnSend, exchangeOf } from './pending-exchange.js'
import { createReader } from './receive.js'
import { send, sendProblem } from './send.js'
import { allowedMethods, createNotFoundHandler } from './unmatched.js'

const EXPOSED =
  'X-Mock-Outcome, X-Mock-Exchange, X-Mock-Error, X-Mock-Cause, Preference-Applied, WWW-Authenticate, Retry-After, Allow, Date'

export async function apiRoutes(scope: FastifyInstance, { middlewares }: { middlewares: Middlewares }): Promise<void> {
  const { operations } = scope.api
  const contracts = contractsOf(scope.api)
  await registerCors(scope, EXPOSED, (path) => allowedMethods(contracts, path))
  const { bodyLimit } = scope.sandboxes.data.settings
  const limits = { fieldNameSize: bodyLimit, fieldSize: bodyLimit, fileSize: bodyLimit, parts: MAX_PARTS }
  scope.register(multipart, { limits })
  scope.setValidatorCompiler(validatorCompiler)
  scope.addHook('onRequest', beginExchange(scope.sandboxes))
  scope.addHook('onSend', endOnSend)
  scope.setNotFoundHandler(createNotFoundHandler(contracts))
  scope.setErrorHandler((error: FastifyError, request, reply) => sendProblem(request, reply, asProblem(error)))
  for (const operation of operations) scope.route(createRoute(operation, middlewares))
}

/** An operation's route: the reader reads, Fastify validates, `answer` decides, `send` answers. */
function createRoute(operation: Operation, middlewares: Middlewares): RouteOptions {
  const { contract } = operation
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
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
      answerNaturally,
    }
    return send(call, await middlewares.run(call, answer))
  }
  return {
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    config: { operation },
    schema: schemasOf(contract),
    attachValidation: true,
    // Not used: violations have their messages. Fastify would make an error with a stack.
    schemaErrorFormatter: () => ({ name: 'ValidationError', message: '' }),
    preValidation: createReader(contract, middlewares),
    handler: handle,
  }
}

const validatorCompiler = ({ schema }: { readonly schema: unknown }) => compileValidator(schema as TSchema)

function schemasOf(contract: Contract): FastifySchema {
  const { params, query: querystring, form } = contract
  const response = Object.fromEntries(statusesOf(contract).map((status) => [status, bodySchema(contract, status)]))
  return { params, querystring, ...(form !== undefined && { body: form }), response }
}
