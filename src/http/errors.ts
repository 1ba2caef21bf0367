import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { StorageFailure } from '../world/state/state.js'
import { Problem } from './problems.js'

/** Answers what was thrown as the mock itself says it. */
export function answerProblem(error: FastifyError, _: FastifyRequest, reply: FastifyReply): FastifyReply {
  return asProblem(error).send(reply)
}

/** What was thrown, as the mock itself says it. */
export function asProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StorageFailure) return new Problem('storage-failed', error.message)
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    return new Problem('bad-request', 'The body is too deeply nested to be read.')
  }
  const status = error.statusCode ?? 500
  if (status < 500) return new Problem('bad-request', error.message)
  return new Problem(
    'internal',
    `The mock itself failed: ${error.message}. Please report it with the request that caused it.`,
  )
}
