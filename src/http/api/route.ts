import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Contract } from '../../../schemas/contract.js'
import { contractUnder } from '../../../schemas/contracts-under.js'
import type { Operation } from '../../operations/handler.js'
import type { World } from '../../world/world.js'
import type { Worlds } from '../../world/worlds.js'
import { worldOf } from '../world-of.js'
import { deliver } from './deliver.js'
import { type Arrival, type Step, StepContext } from './step-context.js'
import { authenticate } from './steps/authenticate.js'
import { forceOutcome } from './steps/force-outcome.js'
import { forward, readAhead } from './steps/forward.js'
import { playGateway, playScenario } from './steps/play-scenario.js'
import { readRequest } from './steps/read-request.js'
import { runHandler } from './steps/run-handler.js'
import { validate } from './steps/validate.js'

/**
 * A request's journey, in order: each step may answer and so end it. Routing and opening the exchange come before. The
 * journal says by these names which step answered.
 */
const journey = {
  arrival: { forceOutcome, playGateway },
  /** With a provider; where the mock answers in its place, the others follow. */
  forwarded: { readAhead, playScenario, forward },
  /** Before any body is read. */
  onRequest: { authenticate },
  handler: { readRequest, playScenario, validate, operate: runHandler },
} as const satisfies Record<string, Record<string, Step>>

type NamedStep = readonly [name: string, step: Step]
const arrival: readonly NamedStep[] = Object.entries(journey.arrival)
const forwarded: readonly NamedStep[] = Object.entries(journey.forwarded)
const onRequest: readonly NamedStep[] = Object.entries(journey.onRequest)
const handler: readonly NamedStep[] = Object.entries(journey.handler)

/** The route of an operation, below what a world's URL begins with. */
export function route(operation: Operation, worlds: Worlds, prefix: string): RouteOptions {
  const { contract } = operation
  return {
    method: contract.method,
    // The document knows no HEAD: it is a method that does not match.
    exposeHeadRoute: false,
    url: prefix + contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: (request, reply, done) => {
      let world: World
      try {
        world = worldOf(request, worlds)
      } catch (error) {
        // There is no such sandbox whose journal could take the request in.
        request.arrival = arrive(worlds.root, null, request, reply)
        return done(error as Error)
      }
      const under = contractUnder(contract, world.settings.readings)
      const context = new StepContext(arrive(world, under, request, reply), under, operation)
      request.arrival = context
      const phases = world.settings.provider === undefined ? MOCKED : FORWARDED
      runPhases(phases, context, done)
    },
    handler: (request, reply) => {
      runSteps(handler, request.arrival as StepContext, (error) => void reply.send(asError(error)))
    },
  }
}

/** In Jest's sandbox, what Node throws is an error of another realm, which Fastify would send as an answer. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { message = String(thrown) } = thrown as Partial<Error>
  return Object.assign(new Error(message), thrown)
}

/** Has a world's journal take a request in; `contract` is null where no operation matches. */
export function arrive(world: World, contract: Contract | null, request: FastifyRequest, reply: FastifyReply): Arrival {
  const { method = '', url = '', headers } = request.raw
  return { request, reply, world, exchange: world.journal.open({ contract, method, url, headers }) }
}

const MOCKED = [[...arrival, ...onRequest]]
const FORWARDED = [arrival, forwarded, onRequest]

/** Runs phases in turn, as far as none of them answers. */
function runPhases(
  phases: readonly (readonly NamedStep[])[],
  context: StepContext,
  done: (error?: Error) => void,
  at = 0,
): void {
  const steps = phases[at]
  if (steps === undefined) return done()
  runSteps(steps, context, (error) => (error === undefined ? runPhases(phases, context, done, at + 1) : done(error)))
}

/** Runs the steps of one phase in turn; synchronous ones cost no promise. */
function runSteps(steps: readonly NamedStep[], context: StepContext, done: (error?: Error) => void, from = 0): void {
  for (let at = from; at < steps.length; at++) {
    const [name, step] = steps[at] as NamedStep
    try {
      const answer = step(context)
      if (answer instanceof Promise) {
        answer.then(
          (later) => (later === undefined ? runSteps(steps, context, done, at + 1) : finish(name, context, later)),
          (error) => done(error),
        )
        return
      }
      if (answer !== undefined) return finish(name, context, answer)
    } catch (error) {
      return done(error as Error)
    }
  }
  done()
}

function finish(step: string, context: StepContext, answer: Parameters<typeof deliver>[1]): void {
  context.exchange.answeredBy = step
  deliver(context, answer)
}
