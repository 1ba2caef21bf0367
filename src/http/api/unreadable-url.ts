import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { suspicionOf } from '../../validation/violation.js'
import { httpDate } from '../date.js'
import { Problem } from '../problems.js'
import type { Chosen } from '../sandbox-ways.js'
import { Arrival } from './step-context.js'
import { expectationOf } from './unmatched.js'

/** The longest path variable that is taken. */
export const LONGEST_PARAMETER = 4_096

/** Why a URL cannot be read, and what to do. */
export interface UnreadableUrl {
  readonly problem: Problem
  readonly fix: string
}

const ENCODE = 'Encode each part of path and query with encodeURIComponent.'

/** What is wrong with a URL that Fastify cannot read. */
export function unreadableUrl({ code }: FastifyError): UnreadableUrl {
  if (code !== 'FST_ERR_MAX_PARAM_LENGTH') {
    return { problem: new Problem('bad-url', `The URL cannot be decoded. ${ENCODE}`), fix: ENCODE }
  }
  const message = `A part of the path is longer than ${LONGEST_PARAMETER} characters: shorten it.`
  return { problem: new Problem('bad-url', message), fix: 'Shorten the path.' }
}

/** Answers a call of the API whose URL cannot be read: it is in the journal of its world, as any that nothing matches. */
export function answerUnreadableUrl(
  { problem, fix }: UnreadableUrl,
  chosen: Chosen,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { world } = chosen
  const { exchange } = new Arrival(chosen, null, request, reply)
  const { code, message } = problem
  exchange.violations = [suspicionOf({ code, message, where: 'url', fix })]
  exchange.answeredBy = 'routing'
  const query = Object.fromEntries(new URLSearchParams(request.url.split('?')[1]))
  exchange.expected = expectationOf({ headers: request.headers, query })
  exchange.why = message
  exchange.problem = true
  // No hook of Fastify's runs for what it cannot route.
  world.journal.close(exchange, problem.status, { headers: problem.headersSent, body: problem.body })
  if (world.clock.frozen) reply.header('date', httpDate(world))
  reply.header('x-mock-exchange', exchange.id)
  problem.send(reply)
}
