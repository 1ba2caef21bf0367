import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest, FastifySchema, FastifySchemaCompiler, RouteOptions } from 'fastify'
import { bodySchema } from '../../../schemas/bodies.js'
import { type Contract, statusesOf } from '../../../schemas/contract.js'
import type { Operation } from '../../operations/handler.js'
import { checkOf } from '../../validation/check.js'
import { answer } from './answer.js'
import type { Call } from './call.js'
import type { Arrival } from './exchange.js'
import { type Received, readRequest } from './receive.js'
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

/** Handles every operation: decides, then sends. */
export async function handle(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { world } = request.arrival as Arrival
  const { query, form, text, unreadable, preferences } = request.received as Received
  const call: Call = {
    ...operation,
    request,
    reply,
    world,
    url: request.originalUrl,
    headers: request.headers,
    params: request.params as Record<string, string>,
    query,
    form,
    text,
    unreadable,
    preferences,
  }
  return send(call, await answer(call))
}

/** Tells Fastify whether a part of a request fits its schema; `judge` finds out what is wrong. */
export const validatorCompiler: FastifySchemaCompiler<unknown> = ({ schema }) => {
  const check = checkOf(schema as TSchema)
  return (value: unknown) => {
    const departures = check(value)
    return departures.length === 0 || { error: new Error(`${departures.length} departures`) }
  }
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
