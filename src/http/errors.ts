import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { quote } from '../text/wording.js'
import { declared, deliver, deliverProblem } from './api/deliver.js'
import type { ServerSettings } from './api/steps/step.js'
import { UnreadableForm } from './api/unreadable-form.js'
import { Problem, tooLarge } from './problems.js'

/** Answers what a step or Fastify threw: as the API would where the client erred, else as a problem. */
export function answerError({ bodyLimit }: ServerSettings) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { exchange } = request
    const unreadable = exchange === null ? undefined : unreadableBody(error, request)
    if (exchange?.contract && unreadable !== undefined) {
      exchange.violations = [...exchange.violations, unreadable.violation]
      exchange.why = unreadable.message
      deliver(exchange, reply, declared(exchange, exchange.contract.invalid, unreadable.message))
      return reply
    }
    const problem = asProblem(error, request, bodyLimit)
    if (exchange === null) return problem.send(reply)
    deliverProblem(exchange, reply, problem)
    return reply
  }
}

/** Fastify's complaints about a body that is no form at all (I-13). */
function unreadableBody({ code, message }: FastifyError, { headers }: FastifyRequest): UnreadableForm | undefined {
  if (!code?.startsWith('FST_ERR_CTP') || code === 'FST_ERR_CTP_BODY_TOO_LARGE') return undefined
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new UnreadableForm(
      'malformed-content-type',
      `The Content-Type ${quote(headers['content-type'])} is no media type.`,
      'Remove the Content-Type header: the client sets the right one by itself, from FormData or -F.',
    )
  }
  return new UnreadableForm(
    'unreadable-body',
    `The body cannot be read: ${message}`,
    'Send a FormData object (or curl -F), and set no Content-Type or Content-Length by hand.',
  )
}

export function asProblem(error: FastifyError, request: FastifyRequest, bodyLimit: number): Problem {
  if (error instanceof Problem) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(bodyLimit)
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    return new Problem('bad-request', 'The body is nested too deeply to be read.')
  }
  const status = error.statusCode ?? 500
  if (status < 500) return new Problem('bad-request', error.message)
  request.log.error(error)
  return new Problem(
    'internal',
    `The mock itself failed: ${error.message}. Please report it with the request that caused it.`,
  )
}
