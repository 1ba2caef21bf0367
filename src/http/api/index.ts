import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../operations/handler.js'
import type { Timeouts } from '../../provider/forward/client.js'
import type { Worlds } from '../../world/worlds.js'
import { openToOrigins } from '../cors.js'
import { closeExchange } from './deliver.js'
import { answerError } from './errors.js'
import { openExchange } from './open-exchange.js'
import { route } from './route.js'
import { lendForwarder } from './steps/forward.js'
import { answerUnmatched } from './unmatched.js'
import { MOST_PARTS } from './unreadable-body.js'

export interface ApiOptions {
  readonly operations: readonly Operation[]
  readonly worlds: Worlds
  /** How long a provider is waited for. */
  readonly timeouts?: Timeouts | undefined
}

/** What the mock adds to answers, for any page to read. */
export const EXPOSED =
  'X-Mock-Outcome, X-Mock-Exchange, X-Mock-Error, Preference-Applied, WWW-Authenticate, Retry-After, Allow, Date'

/** A body is bounded as a whole, before any of its parts is read. */
const ANY = Number.POSITIVE_INFINITY

/**
 * The API: every operation, for every world. What holds for all calls, those that no operation matches
 * included, stands here; the journey of a call through its operation stands in route.ts.
 */
export async function api(scope: FastifyInstance, { operations, worlds, timeouts }: ApiOptions): Promise<void> {
  scope.decorateRequest('arrival', null)
  await openToOrigins(scope, { methods: methodsOf(operations), exposed: EXPOSED })
  scope.register(multipart, { limits: { fieldNameSize: ANY, fieldSize: ANY, fileSize: ANY, parts: MOST_PARTS } })
  lendForwarder(scope, timeouts)
  scope.addHook('onRequest', openExchange(worlds))
  scope.addHook('onSend', closeExchange)
  scope.setErrorHandler(answerError)
  scope.setNotFoundHandler(answerUnmatched(operations))
  for (const one of operations) scope.route(route(one, worlds))
}

function methodsOf(operations: readonly Operation[]): string {
  return [...new Set(operations.map(({ contract }) => contract.method))].sort().join(', ')
}
