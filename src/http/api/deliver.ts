import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { outcomeId } from '../../../schemas/contract.js'
import { BODILESS, type Fault } from '../../../schemas/scenario.js'
import type { Sent } from '../../world/journal/exchange.js'
import { baseUrlOf } from '../base-url.js'
import { httpDate, setDate } from '../date.js'
import type { Problem } from '../problems.js'
import { batch } from './batch-replies.js'
import { correctedLine } from './correction.js'
import { breakConnection } from './faults.js'
import type { Outgoing } from './outgoing.js'
import { serialize, serializeVaried } from './serialize.js'
import { type Arrival, StepContext } from './step-context.js'
import { sendVaried } from './vary/send-varied.js'
import { varies, vary } from './vary/vary.js'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends an answer of the API: after its delay, checked against the contract, entered in the journal. */
export function deliver(context: StepContext, outgoing: Outgoing): void {
  if (!context.operated) unspend(context)
  // What is still to be read of a request that passes through is not known yet.
  if (outgoing.relay === undefined) {
    context.exchange.trim()
    context.releaseBody()
    noteCorrection(context)
  }
  hold(context, () => {
    if (hasLeft(context)) abandon(context, 'the connection ended before the answer')
    else if (outgoing.relay !== undefined) outgoing.relay()
    else if (outgoing.fault === undefined) send(context, outgoing)
    else breakOff(context, outgoing.fault)
  })
}

/** Has the journal make the corrected request where somebody looks. */
export function noteCorrection({ exchange, contract, world, request, user }: StepContext): void {
  if (exchange.violations.length === 0) return
  const { localPort } = request.raw.socket
  // Where it was called is looked for when somebody looks.
  exchange.correction = (one, redact) => {
    const baseUrl = baseUrlOf({ headers: one.headers, raw: { socket: { localPort } } }, world)
    return correctedLine(one, { contract, world, user, baseUrl }, redact)
  }
}

/** Sends what only the mock says. */
export function deliverProblem(arrival: Arrival, problem: Problem): void {
  const { reply, world, exchange } = arrival
  exchange.why = problem.message
  exchange.problem = true
  if (arrival instanceof StepContext) unspend(arrival)
  if (hasLeft(arrival)) return abandon(arrival, problem.message)
  world.journal.close(exchange, problem.status, { headers: problem.headersSent, body: problem.body })
  reply.header('x-mock-exchange', exchange.id)
  setDate(reply, world)
  problem.send(reply)
}

function hasLeft({ request: { raw } }: Arrival): boolean {
  // Requests in process have no real socket.
  return raw.socket.writable === false
}

/** Ends an exchange whose client left: what never reached it is no outcome. */
export function abandon({ reply, world, exchange }: Arrival, why: string): void {
  exchange.why = why
  world.journal.close(exchange, null, { headers: {}, body: null })
  reply.hijack()
}

/** Takes a rule back whose operation has not taken place: it is not spent. */
export function unspend(context: StepContext): void {
  if (context.plan === null) return
  context.plan.takeBack()
  context.plan = null
  context.exchange.cause = context.unruled
}

function hold(context: StepContext, go: () => void): void {
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

function send(context: StepContext, outgoing: Outgoing): void {
  const { reply, world, exchange, contract, preferences } = context
  const varied = varies(context, outgoing) ? vary(context, outgoing, JSON_TYPE) : null
  const { status } = varied ?? outgoing
  const { text, bytes, deviations } =
    varied === null ? serialize(contract, outgoing) : serializeVaried(varied, outgoing)
  exchange.deviations = deviations
  const headers: Record<string, string> = {
    'content-type': varied === null ? JSON_TYPE : varied.contentType,
    'x-mock-outcome': outcomeId(contract, status),
    'x-mock-exchange': exchange.id,
  }
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (preferences !== null) headers['preference-applied'] = preferences.applied
  if (world.clock.frozen) headers.date = httpDate(world)
  if (varied !== null) {
    headers['x-mock-varied'] = varied.names
    if (status !== outgoing.status) exchange.countsAs = outgoing.status
  }
  for (const name in outgoing.headers) headers[name.toLowerCase()] = outgoing.headers[name] as string
  if (BODILESS.has(status)) delete headers['content-type']
  if (varied !== null) sendVaried(reply.raw, varied, headers['content-type'] ?? '')
  world.journal.close(exchange, status, { headers, body: BODILESS.has(status) ? null : text })
  if (varied === null && headers['content-type'] === JSON_TYPE)
    return batch(reply, () => write(reply, status, headers, bytes ?? text))
  reply.code(status).headers(headers)
  batch(reply, () => void reply.send(bytes ?? text))
}

/** What Fastify would do, but for what it looks for in other answers: streams, trailers, hooks, types of content. */
function write(reply: FastifyReply, status: number, headers: Sent['headers'], payload: string | Buffer): void {
  const { raw } = reply.hijack()
  const length = String(Buffer.byteLength(payload))
  const all = { ...reply.getHeaders(), ...headers, 'content-length': length } as OutgoingHttpHeaders
  raw.writeHead(status, all).end(payload)
}

function breakOff({ reply, world, exchange }: StepContext, fault: Fault): void {
  world.journal.close(exchange, null, { headers: {}, body: null, fault })
  breakConnection(reply, fault)
}
