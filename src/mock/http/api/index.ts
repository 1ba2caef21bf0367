import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { ProviderClient } from '../../../tools/http-client.js'
import type { Timeouts } from '../../../tools/http-failures.js'
import type { Operation } from '../../operations/handler.js'
import type { Sandboxes } from '../../sandbox/sandboxes.js'
import { registerCors } from '../cors.js'
import type { Call } from './call.js'
import { beginExchange, recordOnSend } from './exchange.js'
import { MOST_PARTS } from './read-form.js'
import { createRoute, handleApiError, validatorCompiler } from './route.js'
import { allowedMethods, createNotFoundHandler } from './unmatched.js'

export interface ApiOptions {
  /** Their contracts follow the configured interpretations. */
  readonly operations: readonly Operation[]
  readonly sandboxes: Sandboxes
  readonly timeouts?: Timeouts | undefined
}

const EXPOSED =
  'X-Mock-Outcome, X-Mock-Exchange, X-Mock-Error, X-Mock-Cause, Preference-Applied, WWW-Authenticate, Retry-After, Allow, Date'

/**
 * The API of the root and of every sandbox. `exchange.ts` begins each exchange, also if no operation matches, and enters
 * it in the journal as the answer leaves; `route.ts` reads and answers it.
 */
export async function api(scope: FastifyInstance, { operations, sandboxes, timeouts }: ApiOptions): Promise<void> {
  scope.decorateRequest('arrival', null as never)
  scope.decorateRequest('received', null)
  scope.decorateRequest('result', null)
  scope.decorateRequest('recorded', false)
  const contracts = operations.map(({ contract }) => contract)
  await registerCors(scope, EXPOSED, (path) => allowedMethods(contracts, path))
  const { bodyLimit } = sandboxes.shared.settings
  const limits = { fieldNameSize: bodyLimit, fieldSize: bodyLimit, fileSize: bodyLimit, parts: MOST_PARTS }
  scope.register(multipart, { limits })
  scope.setValidatorCompiler(validatorCompiler)
  scope.addHook('onRequest', beginExchange(sandboxes))
  scope.addHook('onSend', recordOnSend)
  scope.setErrorHandler(handleApiError)
  scope.setNotFoundHandler(createNotFoundHandler(contracts))
  for (const one of operations) scope.route(createRoute(one))
  let client: ProviderClient | undefined
  scope.decorate('askProvider', async (call: Call) => {
    const { askProvider, createProviderClient } = await import('../../../tools/forward/forwarder.js')
    client ??= createProviderClient(timeouts)
    return askProvider(call, client)
  })
  scope.addHook('onClose', async () => client?.close())
}
