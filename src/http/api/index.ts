import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../operations/handler.js'
import type { Worlds } from '../../world/worlds.js'
import { openToAllOrigins } from '../cors.js'
import { answerError } from '../errors.js'
import { route } from './route.js'
import type { ServerSettings } from './steps/step.js'
import { answerUnmatched } from './unmatched.js'

export interface ApiOptions {
  readonly operations: readonly Operation[]
  readonly worlds: Worlds
  readonly settings: ServerSettings
}

/** The API: every operation at the root and in every sandbox. */
export async function api(scope: FastifyInstance, { operations, worlds, settings }: ApiOptions): Promise<void> {
  scope.decorateRequest('stop', null)
  openToAllOrigins(scope)
  scope.setErrorHandler(answerError(settings))
  scope.setNotFoundHandler(answerUnmatched(operations, worlds))
  for (const prefix of ['', '/~:sandbox']) {
    // Only operations with a form pay for the multipart reader's hooks.
    scope.register(
      async (withForm) => {
        withForm.register(multipart)
        for (const operation of operations) {
          if (operation.contract.form !== undefined) withForm.route(route(operation, worlds, settings))
        }
      },
      { prefix },
    )
    scope.register(
      async (withoutForm) => {
        for (const operation of operations) {
          if (operation.contract.form === undefined) withoutForm.route(route(operation, worlds, settings))
        }
      },
      { prefix },
    )
  }
}
