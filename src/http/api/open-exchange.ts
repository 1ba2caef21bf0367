import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { contractUnder } from '../../../schemas/contracts-under.js'
import type { Worlds } from '../../world/worlds.js'
import { type Chosen, worldCalled } from '../sandbox-ways.js'
import { Arrival, StepContext } from './step-context.js'

/** Chooses the world of a call, and has its journal take the call in. */
export function openExchange(worlds: Worlds): onRequestHookHandler {
  return (request, reply, done) => {
    const { operation } = request.routeOptions.config
    const contract = operation ? contractUnder(operation.contract, worlds.shared.settings.readings) : null
    try {
      const chosen = chosenBy(request, worlds)
      request.arrival =
        operation && contract
          ? new StepContext(chosen, contract, operation, request, reply)
          : new Arrival(chosen, contract, request, reply)
      done()
    } catch (error) {
      // There is no world of its own whose journal could take the call in.
      request.arrival = new Arrival({ world: worlds.root, by: null }, contract, request, reply)
      done(error as Error)
    }
  }
}

function chosenBy({ originalUrl: url, headers, routeOptions }: FastifyRequest, worlds: Worlds): Chosen {
  const tokenHeaders = routeOptions.config.operation?.contract.tokenHeaders ?? []
  return worldCalled({ url, headers, tokenHeaders }, worlds)
}
