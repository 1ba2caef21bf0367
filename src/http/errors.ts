import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { StorageFailure } from '../world/state/store.js'
import { isOfMissingFiles } from './missing-files.js'
import { Problem, tooLarge } from './problems.js'

/** Answers what was thrown as the mock itself says it. */
export function answerProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return asProblem(error, request).send(reply)
}

/** What was thrown, as the mock itself says it. */
export function asProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StorageFailure) return new Problem('storage-failed', error.message)
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    return new Problem('bad-request', 'The body is too deeply nested to be read.')
  }
  if (error instanceof RangeError && /string length/.test(error.message)) {
    return new Problem('answer-too-long', TOO_LONG)
  }
  if (isOfMissingFiles(error)) return new Problem('files-missing', MISSING)
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request.routeOptions.bodyLimit)
  const status = error.statusCode ?? 500
  if (status < 500) return new Problem('bad-request', error.message)
  return new Problem(
    'internal',
    `The mock itself failed: ${error.message}. Please report it with the request that caused it.`,
  )
}

const MISSING = 'The files of countersign were moved or replaced while it was running. Restart it.'
const TOO_LONG =
  'The whole answer would be longer than the maximum text length (512 MB). Request less if you can, or start over with POST /__admin/reset and send shorter values.'
