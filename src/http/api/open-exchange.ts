import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { contractUnder } from '../../../schemas/contracts-under.js'
import type { Operation } from '../../operations/handler.js'
import type { Worlds } from '../../world/worlds.js'
import { sandboxNamed, worldOf } from '../world-of.js'
import { Arrival, StepContext } from './step-context.js'

/** Chooses the world of a call, and has its journal take the call in. */
export function openExchange(worlds: Worlds): onRequestHookHandler {
  return (request, reply, done) => {
    const { operation } = request.routeOptions.config
    try {
      request.arrival =
        operation === undefined
          ? new Arrival(worlds.sandbox(sandboxNamed(request.url)) ?? worlds.root, null, request, reply)
          : openCall(operation, worlds, request, reply)
      done()
    } catch (error) {
      // There is no such sandbox whose journal could take the call in.
      request.arrival = new Arrival(worlds.root, null, request, reply)
      done(error as Error)
    }
  }
}

function openCall(operation: Operation, worlds: Worlds, request: FastifyRequest, reply: FastifyReply): StepContext {
  const world = worldOf(request, worlds)
  const contract = contractUnder(operation.contract, world.settings.readings)
  return new StepContext(world, contract, operation, request, reply)
}
