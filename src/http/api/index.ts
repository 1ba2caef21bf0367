import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../operations/handler.js'
import type { Patience } from '../../provider/forward/client.js'
import type { Worlds } from '../../world/worlds.js'
import { openToAllOrigins } from '../cors.js'
import { answerError } from './errors.js'
import { route } from './route.js'
import { lendForwarder } from './steps/forward.js'
import { answerUnmatched } from './unmatched.js'

export interface ApiOptions {
  readonly operations: readonly Operation[]
  readonly worlds: Worlds
  /** How long a provider is waited for. */
  readonly patience?: Patience | undefined
}

/** The API: every operation at the root and in every sandbox. */
export async function api(scope: FastifyInstance, { operations, worlds, patience }: ApiOptions): Promise<void> {
  scope.decorateRequest('arrival', null)
  lendForwarder(scope, patience)
  openToAllOrigins(scope, worlds)
  scope.setErrorHandler(answerError(worlds))
  scope.setNotFoundHandler(answerUnmatched(operations, worlds))
  const takesForm = ({ contract }: Operation) => contract.form !== undefined
  for (const prefix of ['', '/~:sandbox']) {
    scope.register(
      async (withForm) => {
        withForm.register(multipart)
        for (const operation of operations.filter(takesForm)) withForm.route(route(operation, worlds))
      },
      { prefix },
    )
    scope.register(
      async (withoutForm) => {
        for (const operation of operations.filter((one) => !takesForm(one))) withoutForm.route(route(operation, worlds))
      },
      { prefix },
    )
  }
}
