import type { TSchema } from '@sinclair/typebox'
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifySchemaCompiler,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify'
import { bodySchema } from '../../../schemas/bodies.js'
import { type Contract, statusesOf } from '../../../schemas/contract.js'
import { contractUnder } from '../../../schemas/contracts-under.js'
import type { Operation } from '../../operations/handler.js'
import { checkOf } from '../../validation/check.js'
import type { Worlds } from '../../world/worlds.js'
import { asJson } from '../compilers.js'
import { deliver } from './deliver.js'
import type { Step, StepContext } from './step-context.js'
import { authenticate } from './steps/authenticate.js'
import { forceOutcome } from './steps/force-outcome.js'
import { forward, forwarded, readAhead } from './steps/forward.js'
import { playGateway, playScenario } from './steps/play-scenario.js'
import { readRequest } from './steps/read-request.js'
import { runHandler } from './steps/run-handler.js'
import { validate } from './steps/validate.js'

/**
 * The route of an operation: its contract's schemas, and a request's journey, in
 * order. The exchange is open by then. Each step may answer and so end the journey; the journal says by the step's name
 * which one did.
 */
export function route(operation: Operation, worlds: Worlds): RouteOptions {
  const { contract } = operation
  const contractNow = () => contractUnder(contract, worlds.shared.settings.readings)
  return {
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // The document knows no HEAD: it is a method that does not match.
    exposeHeadRoute: false,
    config: { operation },
    schema: schemasOf(contractNow()),
    validatorCompiler: validatorOf(contractNow),
    // What is wrong is told in one answer, by `validate`: Fastify stops at the first part.
    attachValidation: true,
    serializerCompiler: asJson,
    onRequest: [
      hook({ forceOutcome }),
      hook({ playGateway }),
      hook({ readAhead: forwarded(readAhead) }),
      hook({ playScenario: forwarded(playScenario) }),
      hook({ forward: forwarded(forward) }),
      hook({ authenticate }),
    ],
    preValidation: [hook({ readRequest }), hook({ playScenario })],
    preHandler: hook({ validate }),
    handler: (request, reply) => run('operate', runHandler, request, (error) => void reply.send(error)),
  }
}

/** A contract in Fastify's words. */
function schemasOf(contract: Contract): FastifySchema {
  const { params, query: querystring, form: body } = contract
  const response = Object.fromEntries(statusesOf(contract).map((status) => [status, bodySchema(contract, status)]))
  return { params, querystring, ...(body !== undefined && { body }), response }
}

/** The schema of what Fastify calls a part of a request. */
const schemaIn: Readonly<Record<string, (contract: Contract) => TSchema | undefined>> = {
  params: ({ params }) => params,
  querystring: ({ query }) => query,
  body: ({ form }) => form,
}

/** Checks a part of a request by the contract as the readings have it now, which edits may change. */
function validatorOf(contractNow: () => Contract): FastifySchemaCompiler<unknown> {
  return ({ httpPart }) => {
    const schemaOf = schemaIn[httpPart as string] as (contract: Contract) => TSchema
    return (value: unknown) => {
      const departures = checkOf(schemaOf(contractNow()))(value)
      return departures.length === 0 || { error: new Error(`${departures.length} departures`) }
    }
  }
}

/** A step as a hook of Fastify. */
function hook(named: Readonly<Record<string, Step>>): onRequestHookHandler {
  const [[name, step]] = Object.entries(named) as [[string, Step]]
  return (request: FastifyRequest, _: FastifyReply, done) => run(name, step, request, done)
}

/** Runs a step: its answer is sent, else `done` goes on. */
function run(name: string, step: Step, { arrival }: FastifyRequest, done: (error?: Error) => void): void {
  const context = arrival as StepContext
  const finish = (outgoing: Awaited<ReturnType<Step>>) => {
    if (outgoing === undefined) return done()
    context.exchange.answeredBy = name
    deliver(context, outgoing)
  }
  try {
    const outgoing = step(context)
    if (outgoing instanceof Promise) outgoing.then(finish).catch((error) => done(asError(error)))
    else finish(outgoing)
  } catch (error) {
    done(asError(error))
  }
}

/** In Jest's sandbox, what Node throws is an error of another realm, which Fastify would send as an answer. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { message = String(thrown) } = thrown as Partial<Error>
  return Object.assign(new Error(message), thrown)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of the API does. */
    operation?: Operation
  }
}
