import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../operation.js'
import { registerCors } from '../cors.js'
import type { Middleware } from './call.js'
import { beginExchange, endOnSend } from './exchange.js'
import { MOST_PARTS } from './read-form.js'
import { createRoute, handleApiError, validatorCompiler } from './route.js'
import { allowedMethods, createNotFoundHandler } from './unmatched.js'

export interface ApiOptions {
  /** Their contracts follow the configured interpretations. */
  readonly operations: readonly Operation[]
  readonly middlewares: readonly Middleware[]
}

const EXPOSED =
  'X-Mock-Outcome, X-Mock-Exchange, X-Mock-Error, X-Mock-Cause, Preference-Applied, WWW-Authenticate, Retry-After, Allow, Date'

/**
 * The API of the root and of every sandbox. `exchange.ts` begins each exchange, also if no operation matches, and enters
 * it in the journal as the answer leaves; `route.ts` reads and answers it.
 */
export async function api(scope: FastifyInstance, { operations, middlewares }: ApiOptions): Promise<void> {
  scope.decorateRequest('begun', null as never)
  scope.decorateRequest('received', null)
  scope.decorateRequest('answer', null)
  scope.decorateRequest('isEnded', false)
  const contracts = operations.map(({ contract }) => contract)
  await registerCors(scope, EXPOSED, (path) => allowedMethods(contracts, path))
  const { bodyLimit } = scope.sandboxes.shared.settings
  const limits = { fieldNameSize: bodyLimit, fieldSize: bodyLimit, fileSize: bodyLimit, parts: MOST_PARTS }
  scope.register(multipart, { limits })
  scope.setValidatorCompiler(validatorCompiler)
  // Violations are made from what Fastify adds to it: nobody reads its stack trace, a tenth of a refused call's time.
  scope.setSchemaErrorFormatter(() => Object.create(Error.prototype))
  scope.addHook('onRequest', beginExchange(scope.sandboxes))
  scope.addHook('onSend', endOnSend)
  scope.setErrorHandler(handleApiError)
  scope.setNotFoundHandler(createNotFoundHandler(contracts))
  for (const one of operations) scope.route(createRoute(one, middlewares))
}
