import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodySchema } from '../../../schemas/bodies.js'
import { outcomeId } from '../../../schemas/contract.js'
import { isGatewayStatus } from '../../../schemas/gateway.js'
import { BODILESS, type Fault } from '../../../schemas/scenario.js'
import { checkBody } from '../../validation/deviations.js'
import { baseUrlOf } from '../base-url.js'
import { httpDate } from '../date.js'
import type { Problem } from '../problems.js'
import { altered } from './altered.js'
import { correctedCall } from './correction.js'
import { breakConnection } from './faults.js'
import type { Forwarded, Outgoing } from './outgoing.js'
import { type Arrival, StepContext } from './step-context.js'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends an answer of the API, after its delay. */
export function deliver(context: StepContext, outgoing: Outgoing): void {
  if (!context.operated) restoreRule(context)
  // What is still to be read of a request that passes through is not known yet.
  if (outgoing.forwarded === undefined) {
    context.exchange.trim()
    noteCorrection(context)
  }
  afterDelay(context, () => {
    if (hasLeft(context)) {
      outgoing.forwarded?.abort()
      abandon(context, 'the connection ended before the answer')
    } else if (outgoing.fault === undefined) send(context, outgoing)
    else breakOff(context, outgoing.fault)
  })
}

/** Lets the journal build the corrected request when it is viewed. */
export function noteCorrection({ exchange, contract, world, request, user, formMeant }: StepContext): void {
  if (exchange.violations.length === 0) return
  const { localPort } = request.raw.socket
  // Where it was called is looked for when somebody looks.
  exchange.correction = (one, redact) => {
    const baseUrl = baseUrlOf({ headers: one.headers, raw: { socket: { localPort } } }, world)
    return correctedCall(one, { contract, world, user, baseUrl, form: formMeant }, redact)
  }
}

/** Sends what only the mock says. */
export function deliverProblem(arrival: Arrival, problem: Problem): void {
  const { reply, exchange } = arrival
  exchange.why = problem.message
  exchange.problem = true
  if (arrival instanceof StepContext) restoreRule(arrival)
  if (hasLeft(arrival)) return abandon(arrival, problem.message)
  arrival.sending = { headers: problem.headersSent }
  reply.header('x-mock-exchange', exchange.id)
  problem.send(reply)
}

function hasLeft({ request: { raw } }: Arrival): boolean {
  // Requests of inject have no real socket.
  return raw.socket.writable === false
}

/** Ends an exchange whose client left: an answer that never reached it is not an outcome. */
export function abandon({ reply, world, exchange }: Arrival, why: string): void {
  exchange.why = why
  world.journal.close(exchange, null, { headers: {}, body: null })
  // Nobody is there to send anything to.
  reply.hijack()
}

/** Gives a rule back whose operation has not taken place: it is not spent. */
export function restoreRule(context: StepContext): void {
  if (context.plan === null) return
  context.plan.restore()
  context.plan = null
  context.exchange.cause = context.causeWithoutRule
}

function afterDelay(context: StepContext, go: () => void): void {
  const { request, reply, exchange } = context
  const { delay } = exchange
  if (delay <= 0) return go()
  // Behind another answer on its connection, this one has no socket of its own that could close.
  const connection = reply.raw.socket === null ? request.raw.socket : reply.raw
  // A client that left, or a server that closes, waits for nothing.
  const left = () => {
    clearTimeout(timer)
    abandon(context, 'the connection ended before the answer, which was held back')
  }
  const timer = setTimeout(() => {
    connection.off('close', left)
    go()
  }, delay)
  connection.once('close', left)
}

function send(context: StepContext, made: Outgoing): void {
  if (made.forwarded === undefined) sendOwn(context, made)
  else pass(context.reply, made.status, made.forwarded)
}

/** Passes on a provider's answer; the exchange is closed where the answer ends. */
function pass(reply: FastifyReply, status: number, { reason, headers, body }: Forwarded): void {
  reply.raw.statusMessage = reason
  reply.code(status).headers(headers).send(body)
}

function sendOwn(context: StepContext, due: Outgoing): void {
  const { reply, world, contract, exchange, preferences } = context
  const outgoing = altered(context, due)
  const { status, body } = outgoing
  const headers: Record<string, string> = {
    'content-type': JSON_TYPE,
    'x-mock-outcome': outcomeId(contract, status),
    'x-mock-exchange': exchange.id,
  }
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (preferences !== null) headers['preference-applied'] = preferences.applied
  if (world.clock.frozen) headers.date = httpDate(world)
  if (status !== due.status) exchange.countsAs = due.status
  for (const name in outgoing.headers) headers[name.toLowerCase()] = outgoing.headers[name] as string
  if (BODILESS.has(status)) delete headers['content-type']
  // What a gateway answers is not the operation's, and departs from nothing.
  if (!isGatewayStatus(contract, status))
    exchange.deviations = checkBody(contract, status, bodySchema(contract, status), body, outgoing.offContract ?? false)
  context.sending = { headers }
  reply.code(status).headers(headers).send(payloadOf(outgoing))
}

/** What Fastify is handed: it writes JSON by itself, but for texts, which it would send as they are. */
function payloadOf({ status, body, headers = {} }: Outgoing): unknown {
  if (BODILESS.has(status)) return undefined
  if (typeof body !== 'string') return body
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  // As bytes: to a text of a JSON type without a charset, Fastify adds one.
  return isTyped ? Buffer.from(body) : JSON.stringify(body)
}

/** Closes the exchange as its answer is handed over: a client that asks the journal right after it finds it there. */
export function closeExchange(
  { arrival }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error?: null) => void,
): void {
  const sent = arrival?.sending
  if (sent) {
    arrival.sending = null
    const body = payload === undefined || payload === null ? null : String(payload)
    arrival.world.journal.close(arrival.exchange, reply.statusCode, { ...sent, body })
  }
  done()
}

function breakOff({ reply, world, exchange }: StepContext, fault: Fault): void {
  world.journal.close(exchange, null, { headers: {}, body: null, fault })
  breakConnection(reply, fault)
}
