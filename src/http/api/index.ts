import { promisify } from 'node:util'
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
  const addRoutes = (here: FastifyInstance, those: readonly Operation[]) => {
    for (const prefix of ['', '/~:sandbox']) for (const one of those) here.route(route(one, worlds, prefix))
  }
  const takesForm = ({ contract }: Operation) => contract.form !== undefined
  scope.register(async (withForms) => {
    // Called: to register it compares versions of Fastify, by a library that a start would wait for.
    await promisify(multipart)(withForms, {})
    addRoutes(withForms, operations.filter(takesForm))
  })
  addRoutes(
    scope,
    operations.filter((one) => !takesForm(one)),
  )
}
