import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../operations/handler.js'
import type { Timeouts } from '../../provider/failures.js'
import type { Worlds } from '../../world/worlds.js'
import { jsonSerializerCompiler } from '../compilers.js'
import { registerCors } from '../cors.js'
import { handleApiError } from './errors.js'
import { beginExchange, recordOnSend } from './exchange.js'
import { connectProvider } from './provider.js'
import { MOST_PARTS } from './read-form.js'
import { createRoute, validatorCompiler } from './route.js'
import { allowedMethods, createNotFoundHandler } from './unmatched.js'

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
 * The API of the root and of every sandbox. `exchange.ts` begins each exchange, also if no operation matches, and enters
 * it in the journal as the answer leaves; `route.ts` reads and answers it.
 */
export async function api(scope: FastifyInstance, { operations, worlds, timeouts }: ApiOptions): Promise<void> {
  scope.decorateRequest('arrival', null)
  scope.decorateRequest('received', null)
  scope.decorateRequest('result', null)
  scope.decorateRequest('recorded', false)
  const contracts = operations.map(({ contract }) => contract)
  await registerCors(scope, { methodsOf: (path) => allowedMethods(contracts, path), exposed: EXPOSED })
  const { bodyLimit } = worlds.shared.settings
  const limits = { fieldNameSize: bodyLimit, fieldSize: bodyLimit, fileSize: bodyLimit, parts: MOST_PARTS }
  scope.register(multipart, { limits })
  connectProvider(scope, timeouts)
  scope.setValidatorCompiler(validatorCompiler)
  scope.setSerializerCompiler(jsonSerializerCompiler)
  scope.addHook('onRequest', beginExchange(worlds))
  scope.addHook('onSend', recordOnSend)
  scope.setErrorHandler(handleApiError)
  scope.setNotFoundHandler(createNotFoundHandler(operations))
  for (const one of operations) scope.route(createRoute(one))
}
