import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { quote } from '../../text/wording.js'
import { asProblem, keepConnection } from '../errors.js'
import { declaredAnswer } from './answer.js'
import { deliver, deliverProblem } from './deliver.js'
import { StepContext } from './step-context.js'
import { UnreadableForm } from './unreadable-form.js'

/** Answers what a step or Fastify threw: as the API would where the client erred, else as a problem. */
export function answerError(bodyLimit: number) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    keepConnection(reply)
    const { arrival } = request
    const unreadable = unreadableBody(error, request)
    if (arrival instanceof StepContext && unreadable !== undefined) {
      const { exchange, contract } = arrival
      exchange.violations = [...exchange.violations, unreadable.violation]
      exchange.why = unreadable.message
      deliver(arrival, declaredAnswer(arrival, contract.invalid, unreadable.message))
      return reply
    }
    const problem = asProblem(error, request, bodyLimit)
    if (arrival === null) return problem.send(reply)
    deliverProblem(arrival, problem)
    return reply
  }
}

/** What Fastify says of a body that is not a form at all (I-13). */
function unreadableBody({ code, message }: FastifyError, { headers }: FastifyRequest): UnreadableForm | undefined {
  if (!code?.startsWith('FST_ERR_CTP') || code === 'FST_ERR_CTP_BODY_TOO_LARGE') return undefined
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new UnreadableForm(
      'malformed-content-type',
      `The Content-Type ${quote(headers['content-type'])} is not a media type.`,
      'Remove the Content-Type header: the client sets the right one by itself, from FormData or -F.',
    )
  }
  return new UnreadableForm(
    'unreadable-body',
    `The body cannot be read: ${message}`,
    'Send a FormData object (or curl -F), and set no Content-Type or Content-Length by hand.',
  )
}
