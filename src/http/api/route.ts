import type { FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import { bodySchema } from '../../../schemas/bodies.js'
import { type Contract, statusesOf } from '../../../schemas/contract.js'
import type { Operation } from '../../operations/handler.js'
import { answer } from './answer.js'
import { callOf } from './call.js'
import { readRequest } from './receive.js'
import { send } from './send.js'

/**
 * The route of an operation. Its exchange has begun (`index.ts`); the request is read whole, Fastify validates it with
 * the schemas of the contract, `answer` decides, `send` answers.
 */
export function route(operation: Operation): RouteOptions {
  const { contract } = operation
  return {
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // The document has no HEAD.
    exposeHeadRoute: false,
    config: { operation },
    schema: schemasOf(contract),
    // `answer` reports every violation in one answer; Fastify stops at the first part.
    attachValidation: true,
    preValidation: readRequest(contract),
    handler: (request, reply) => handle(operation, request, reply),
  }
}

/** Decides a call that was read, and answers it. */
export async function handle(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const call = callOf(request, reply, operation)
  return send(call, await answer(call))
}

function schemasOf(contract: Contract): FastifySchema {
  const { params, query: querystring, form } = contract
  const response = Object.fromEntries(statusesOf(contract).map((status) => [status, bodySchema(contract, status)]))
  return { params, querystring, ...(form !== undefined && { body: form }), response }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of the API does. */
    operation?: Operation
  }
}
