import type { IncomingHttpHeaders } from 'node:http'
import { ProviderClient, type Timeouts } from '../../../provider/forward/client.js'
import { failureOf, NoAnswer } from '../../../provider/forward/failures.js'
import { type Target, targetOf } from '../../../provider/forward/target.js'
import type { Cause } from '../../../world/journal/exchange.js'
import { ClientLeft } from '../../body.js'
import { Problem } from '../../problems.js'
import type { Outgoing } from '../outgoing.js'
import type { StepContext } from '../step-context.js'
import { playAfterwards } from '../steps/play-scenario.js'
import { passOn } from './pass-on.js'
import type { PassingBody } from './passing-body.js'
import { requestHead } from './request-head.js'

const EARLY_HINTS = 103

/** Forwards requests to the provider, over connections of its own. */
export class Forwarder {
  readonly #client: ProviderClient

  constructor(timeouts: Timeouts | undefined) {
    this.#client = new ProviderClient(timeouts)
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  /**
   * The provider's answer; undefined where the mock answers in its place.
   * @throws {Problem} where there is none
   */
  async forward(context: StepContext, body: PassingBody): Promise<Outgoing | undefined> {
    const { world, reply, exchange } = context
    const { provider = '', providerToken } = world.settings
    const target = targetOf(provider)
    const gone = new AbortController()
    const leave = () => gone.abort(body.hasEnded ? new ClientLeft('the answer') : new ClientLeft())
    reply.raw.once('close', leave)
    exchange.secret = providerToken
    try {
      const answer = await this.#client
        .ask(target, {
          ...requestHead(context, target),
          body: body.sent,
          bodyAgain: () => body.whole,
          signal: gone.signal,
          onInfo: ({ statusCode, headers }) => {
            if (statusCode === EARLY_HINTS) passHints(context, headers)
          },
        })
        .catch((error: Error) => this.#answerInItsPlace(context, body, target, error))
      if (answer === undefined) return undefined
      setCause(context, 'provider')
      context.operated = true
      exchange.why = `answered by ${target.url}`
      const passed = await passOn(context, answer, body, (error) => this.#problemOf(error, target))
      const outgoing = playAfterwards(context, passed)
      if (outgoing !== passed) passed.forwarded?.abort()
      return outgoing
    } finally {
      reply.raw.off('close', leave)
    }
  }

  async #answerInItsPlace(context: StepContext, body: PassingBody, target: Target, error: Error): Promise<undefined> {
    if (error instanceof ClientLeft || error instanceof Problem) throw error
    const failure = failureOf(target, this.#client.timeouts, error)
    // Nobody else has the request.
    const whole = context.world.settings.fallback && !(failure instanceof NoAnswer) ? await body.end() : undefined
    if (whole === undefined) {
      setCause(context, 'provider')
      throw this.#problemOf(error, target)
    }
    setCause(context, 'fallback')
    context.exchange.unanswered = failure.message
    context.request.bytes = whole
    return undefined
  }

  /** What the mock says where the provider says nothing. */
  #problemOf(error: Error, target: Target): Problem {
    const failure = failureOf(target, this.#client.timeouts, error)
    const { timedOut, message } = failure
    const detail =
      failure instanceof NoAnswer ? message : `${message} With --fallback the mock answers in the meantime.`
    return new Problem(timedOut ? 'provider-timeout' : 'provider-unreachable', detail, { provider: target.url })
  }
}

/** Passes early hints on, where the client can read them and Node can write them: it takes the plainest links alone. */
function passHints({ request, reply }: StepContext, { link, ...others }: IncomingHttpHeaders): void {
  // A client of HTTP/1.0 takes them for the answer (RFC 9110, section 15.2).
  if (link === undefined || request.raw.httpVersion === '1.0') return
  try {
    reply.raw.writeEarlyHints({ link, ...others } as Record<string, string | string[]>)
  } catch {
    // A browser that gets no hints loads a little later.
  }
}

function setCause(context: StepContext, cause: Cause): void {
  if (context.exchange.cause === context.causeWithoutRule) context.exchange.cause = cause
  context.causeWithoutRule = cause
}
