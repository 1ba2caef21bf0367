import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../operations/handler.js'
import type { Timeouts } from '../../provider/client.js'
import type { Worlds } from '../../world/worlds.js'
import { asJson } from '../compilers.js'
import { openToOrigins } from '../cors.js'
import { answerError } from './errors.js'
import { beginExchange } from './exchange.js'
import { connectProvider } from './provider.js'
import { MOST_PARTS } from './read-form.js'
import { route, validatorCompiler } from './route.js'
import { recordSent } from './send.js'
import { allowedMethods, answerUnmatched } from './unmatched.js'

export interface ApiOptions {
  /** With the contracts under the interpretations that are configured. */
  readonly operations: readonly Operation[]
  readonly worlds: Worlds
  /** How long a provider is waited for. */
  readonly timeouts?: Timeouts | undefined
}

/** The headers that the mock adds to answers; pages of any origin may read them. */
const EXPOSED =
  'X-Mock-Outcome, X-Mock-Exchange, X-Mock-Error, X-Mock-Cause, Preference-Applied, WWW-Authenticate, Retry-After, Allow, Date'

/** A body is limited as a whole. */
const ANY = Number.POSITIVE_INFINITY

/**
 * The API, for every sandbox. A request begins an exchange here, also if no operation matches it; `route.ts` reads and
 * answers it; the exchange enters the journal as its answer leaves.
 */
export async function api(scope: FastifyInstance, { operations, worlds, timeouts }: ApiOptions): Promise<void> {
  scope.decorateRequest('arrival', null)
  scope.decorateRequest('received', null)
  scope.decorateRequest('result', null)
  scope.decorateRequest('recorded', false)
  const contracts = operations.map(({ contract }) => contract)
  await openToOrigins(scope, { methodsOf: (path) => allowedMethods(contracts, path), exposed: EXPOSED })
  scope.register(multipart, { limits: { fieldNameSize: ANY, fieldSize: ANY, fileSize: ANY, parts: MOST_PARTS } })
  connectProvider(scope, timeouts)
  scope.setValidatorCompiler(validatorCompiler)
  scope.setSerializerCompiler(asJson)
  scope.addHook('onRequest', beginExchange(worlds))
  scope.addHook('onSend', recordSent)
  scope.setErrorHandler(answerError)
  scope.setNotFoundHandler(answerUnmatched(operations))
  for (const one of operations) scope.route(route(one))
}
