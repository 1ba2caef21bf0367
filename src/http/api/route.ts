import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Contract } from '../../../schemas/contract.js'
import type { Operation } from '../../operations/handler.js'
import { checkOf } from '../../validation/check.js'
import { Exchange } from '../../world/journal/exchange.js'
import type { World } from '../../world/world.js'
import type { Worlds } from '../../world/worlds.js'
import { Problem } from '../problems.js'
import { deliver, type Outgoing } from './deliver.js'
import { authenticate } from './steps/authenticate.js'
import { forceOutcome } from './steps/force-outcome.js'
import { playScenario } from './steps/play-scenario.js'
import { readRequest } from './steps/read-request.js'
import { runHandler } from './steps/run-handler.js'
import type { ServerSettings, Step, StepContext } from './steps/step.js'
import { validate } from './steps/validate.js'

/** A request's journey, in order: each step may answer and so end it. Routing and opening the exchange come before. */
export const journey = {
  onRequest: { forceOutcome, authenticate },
  preValidation: { readRequest, playScenario },
  // Here Fastify validates by the route's schema, and attaches what it finds.
  preHandler: { validate },
  handler: { operate: runHandler },
} as const satisfies Record<string, Record<string, Step>>

/** Joins a contract and its handler into a route. */
export function route(operation: Operation, worlds: Worlds, settings: ServerSettings): RouteOptions {
  const { contract } = operation
  const enter = (request: FastifyRequest, reply: FastifyReply): StepContext => {
    const exchange = open(worldOf(request, worlds), request, contract)
    return { request, reply, exchange, operation, contract, worlds, settings }
  }
  return {
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: schemaOf(contract),
    attachValidation: true,
    validatorCompiler,
    onRequest: (request, reply, done) => {
      let stop: StepContext
      try {
        stop = enter(request, reply)
      } catch (error) {
        // There is no such sandbox whose journal could tell of it.
        open(worlds.root, request, null)
        return done(error as Error)
      }
      request.stop = stop
      runSteps(onRequest, stop, done)
    },
    preValidation: (request, _, done) => runSteps(preValidation, request.stop as StepContext, done),
    preHandler: (request, _, done) => runSteps(preHandler, request.stop as StepContext, done),
    handler: (request, reply) => runSteps(handler, request.stop as StepContext, (error) => void reply.send(error)),
  }
}

/** What Fastify validates: the parts that hold anything. */
function schemaOf({ params, query, form }: Contract) {
  const hasParams = Object.keys(params.properties).length > 0
  return { querystring: query, ...(hasParams && { params }), ...(form && { body: form }) }
}

declare module 'fastify' {
  interface FastifyRequest {
    stop: StepContext | null
  }
}

type NamedStep = readonly [name: string, step: Step]
const [onRequest, preValidation, preHandler, handler] = [
  Object.entries(journey.onRequest),
  Object.entries(journey.preValidation),
  Object.entries(journey.preHandler),
  Object.entries(journey.handler),
] as const

/** Takes the steps of one phase in turn; synchronous ones cost no promise. */
function runSteps(steps: readonly NamedStep[], stop: StepContext, done: (error?: Error) => void, from = 0): void {
  for (let at = from; at < steps.length; at++) {
    const [name, step] = steps[at] as NamedStep
    try {
      const answer = step(stop)
      if (answer instanceof Promise) {
        answer.then(
          (later) => (later === undefined ? runSteps(steps, stop, done, at + 1) : finish(name, stop, later)),
          (error) => done(error),
        )
        return
      }
      if (answer !== undefined) return finish(name, stop, answer)
    } catch (error) {
      return done(error as Error)
    }
  }
  done()
}

function finish(step: string, { exchange, reply }: StepContext, answer: Outgoing): void {
  exchange.answeredBy = step
  deliver(exchange, reply, answer)
}

function open(world: World, request: FastifyRequest, contract: Contract | null): Exchange {
  const { method = '', url = '', headers } = request.raw
  const exchange = new Exchange(world, contract, method, url, headers)
  request.exchange = exchange
  return exchange
}

/** The world that the base URL chooses. */
export function worldOf(request: FastifyRequest, worlds: Worlds): World {
  const params = request.params as { sandbox?: string }
  const { sandbox } = params
  if (sandbox === undefined) return worlds.root
  delete params.sandbox
  const world = worlds.sandbox(sandbox)
  if (world !== undefined) return world
  throw badSandboxName(sandbox)
}

export function badSandboxName(name: string): Problem {
  return new Problem(
    'bad-sandbox-name',
    `'${name}' is no sandbox name: take 1 to 64 letters, digits, dots, hyphens and underscores, as in /~worker-3.`,
  )
}

/** Compiled when the first request comes. */
function validatorCompiler({ schema }: { schema: unknown }) {
  const check = checkOf(schema as TSchema)
  return (value: unknown) => (check(value).length === 0 ? true : { error: new Error('invalid') })
}
