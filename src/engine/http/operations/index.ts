import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance } from 'fastify'
import { contractsOf } from '../../api.js'
import { registerCors } from '../cors.js'
import { asProblem } from '../problems.js'
import type { Middlewares } from './answer.js'
import { MAX_PARTS } from './part-charset.js'
import { beginExchange, endOnSend } from './pending-exchange.js'
import { createRoute, validatorCompiler } from './route.js'
import { sendProblem } from './send.js'
import { allowedMethods, createNotFoundHandler } from './unmatched.js'

const EXPOSED =
  'X-Mock-Outcome, X-Mock-Exchange, X-Mock-Error, X-Mock-Cause, Preference-Applied, WWW-Authenticate, Retry-After, Allow, Date'

export async function apiRoutes(scope: FastifyInstance, { middlewares }: { middlewares: Middlewares }): Promise<void> {
  const { operations } = scope.api
  const contracts = contractsOf(scope.api)
  await registerCors(scope, EXPOSED, (path) => allowedMethods(contracts, path))
  const { bodyLimit } = scope.sandboxes.data.settings
  const limits = { fieldNameSize: bodyLimit, fieldSize: bodyLimit, fileSize: bodyLimit, parts: MAX_PARTS }
  scope.register(multipart, { limits })
  scope.setValidatorCompiler(validatorCompiler)
  scope.addHook('onRequest', beginExchange(scope.sandboxes))
  scope.addHook('onSend', endOnSend)
  scope.setNotFoundHandler(createNotFoundHandler(contracts))
  scope.setErrorHandler((error: FastifyError, request, reply) => sendProblem(request, reply, asProblem(error)))
  for (const operation of operations) scope.route(createRoute(operation, middlewares))
}
