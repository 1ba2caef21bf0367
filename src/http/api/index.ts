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
  /** Their contracts follow the configured interpretations. */
  readonly operations: readonly Operation[]
  readonly worlds: Worlds
  readonly timeouts?: Timeouts | undefined
}

/** Headers that pages of any origin may read. */
const EXPOSED =
  'X-Mock-Outcome, X-Mock-Exchange, X-Mock-Error, X-Mock-Cause, Preference-Applied, WWW-Authenticate, Retry-After, Allow, Date'

/**
 * The API of the root and of every sandbox. `exchange.ts` begins each exchange, also if no operation matches;
 * `route.ts` reads and answers it; `send.ts` enters it in the journal as the answer leaves.
 */
export async function api(scope: FastifyInstance, { operations, worlds, timeouts }: ApiOptions): Promise<void> {
  scope.decorateRequest('arrival', null)
  scope.decorateRequest('received', null)
  scope.decorateRequest('result', null)
  scope.decorateRequest('recorded', false)
  const contracts = operations.map(({ contract }) => contract)
  await openToOrigins(scope, { methodsOf: (path) => allowedMethods(contracts, path), exposed: EXPOSED })
  const { bodyLimit } = worlds.shared.settings
  const limits = { fieldNameSize: bodyLimit, fieldSize: bodyLimit, fileSize: bodyLimit, parts: MOST_PARTS }
  scope.register(multipart, { limits })
  connectProvider(scope, timeouts)
  scope.setValidatorCompiler(validatorCompiler)
  scope.setSerializerCompiler(asJson)
  scope.addHook('onRequest', beginExchange(worlds))
  scope.addHook('onSend', recordSent)
  scope.setErrorHandler(answerError)
  scope.setNotFoundHandler(answerUnmatched(operations))
  for (const one of operations) scope.route(route(one))
}
