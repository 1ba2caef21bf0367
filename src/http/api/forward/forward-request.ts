import { type Patience, ProviderClient } from '../../../provider/forward/client.js'
import { NoAnswer, Unreachable } from '../../../provider/forward/failures.js'
import { targetOf } from '../../../provider/forward/target.js'
import type { Cause } from '../../../world/journal/exchange.js'
import { type BodyWatch, receiveBody, rememberBody } from '../../body.js'
import type { Outgoing } from '../outgoing.js'
import type { StepContext } from '../step-context.js'
import { playAfterwards } from '../steps/play-scenario.js'
import { Call } from './call.js'
import { PassingBody } from './passing-body.js'
import { providerProblem } from './provider-problem.js'
import { relay } from './relay.js'

/** Forwards requests to the provider, over connections of its own. */
export class Forwarder {
  readonly #client: ProviderClient

  constructor(patience: Patience | undefined) {
    this.#client = new ProviderClient(patience)
  }

  close(): void {
    this.#client.close()
  }

  /** Reads all of a body before any of it is forwarded, so that rules can look at it. */
  async readAhead(context: StepContext, watch: BodyWatch): Promise<undefined> {
    const { request, exchange, contract, world } = context
    watch.end()
    const bytes = await receiveBody(request.raw, world.settings.bodyLimit)
    const body = new PassingBody(contract, request.headers, bytes.byteLength)
    body.take(bytes)
    body.ended = true
    context.ahead = body
    exchange.form = body.read().form
  }

  /**
   * The provider's answer; undefined where the mock answers in its place.
   * @throws {Problem} where there is none
   */
  async forward(context: StepContext, watch: BodyWatch | undefined): Promise<Outgoing | undefined> {
    const { world, request, exchange, contract } = context
    const { provider = '', providerToken, fallback } = world.settings
    const target = targetOf(provider)
    const body = context.ahead ?? new PassingBody(contract, request.headers)
    const call = new Call(context, this.#client, target, body)
    exchange.secret = providerToken
    try {
      await call.connect().finally(() => watch?.end())
      const answer = await call.ask()
      setCause(context, 'provider')
      context.operated = true
      exchange.why = `answered by ${target.url}`
      const passed: Outgoing = {
        status: Number(answer.statusCode),
        body: null,
        relay: () => relay(context, call, answer),
      }
      const outgoing = playAfterwards(context, passed)
      if (outgoing !== passed) call.abort()
      return outgoing
    } catch (error) {
      call.abort()
      if (!(error instanceof Unreachable)) throw error
      if (fallback && isWhole(context, body, error)) {
        setCause(context, 'fallback')
        exchange.unanswered = error.message
        return undefined
      }
      setCause(context, 'provider')
      throw providerProblem(error, target)
    }
  }
}

function setCause(context: StepContext, cause: Cause): void {
  if (context.exchange.cause === context.unruled) context.exchange.cause = cause
  context.unruled = cause
}

/** Whether the mock can answer a request in the provider's place: nobody else has it, and all of its body is here. */
function isWhole({ request }: StepContext, body: PassingBody, error: Unreachable): boolean {
  if (error instanceof NoAnswer) return false
  // Nothing was read.
  if (body.soFar?.length === 0 && !body.ended) return true
  if (!body.ended || body.soFar === undefined) return false
  rememberBody(request.raw, Buffer.concat(body.soFar))
  return true
}
