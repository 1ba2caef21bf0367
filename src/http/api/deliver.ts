import { bodySchema } from '../../../schemas/bodies.js'
import { type Contract, outcomeId } from '../../../schemas/contract.js'
import { isGatewayStatus } from '../../../schemas/gateway.js'
import { BODILESS, type Fault } from '../../../schemas/scenario.js'
import { checkBody } from '../../validation/deviations.js'
import type { Deviation } from '../../validation/violation.js'
import { baseUrlOf } from '../base-url.js'
import { httpDate, setDate } from '../date.js'
import type { Problem } from '../problems.js'
import { batchReply } from './batch-replies.js'
import { correctedLine } from './correction.js'
import { breakConnection } from './faults.js'
import type { Outgoing } from './outgoing.js'
import { type Arrival, StepContext } from './step-context.js'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends an answer of the API: after its delay, checked against the contract, entered in the journal. */
export function deliver(context: StepContext, outgoing: Outgoing): void {
  if (!context.operated) unspend(context)
  // What is still to be read of a request that passes through is not known yet.
  if (outgoing.relay === undefined) {
    context.exchange.trim()
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
  const called = { contract, world, user, baseUrl: baseUrlOf(request, world) }
  exchange.correction = (one, redact) => correctedLine(one, called, redact)
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
  const { status } = outgoing
  const { text, bytes, deviations } = serialize(context, outgoing)
  exchange.deviations = deviations
  const headers: Record<string, string> = {
    'content-type': JSON_TYPE,
    'x-mock-outcome': outcomeId(contract, status),
    'x-mock-exchange': exchange.id,
  }
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (preferences !== null) headers['preference-applied'] = preferences.applied
  if (world.clock.frozen) headers.date = httpDate(world)
  for (const name in outgoing.headers) headers[name.toLowerCase()] = outgoing.headers[name] as string
  if (BODILESS.has(status)) delete headers['content-type']
  world.journal.close(exchange, status, { headers, body: BODILESS.has(status) ? null : text })
  reply.code(status).headers(headers)
  batchReply(reply, bytes ?? text)
}

/** A body as it is sent, and how it departs from its contract. */
interface Serialized {
  /** The contract that it was compared with, where it is kept. */
  readonly contract?: Contract
  readonly text: string
  /** The text in bytes, where it is kept: encoding it is most of the work of sending it. */
  readonly bytes?: Buffer
  readonly deviations: readonly Deviation[]
}

const serialized = new WeakMap<object, Serialized>()
const NONE: readonly Deviation[] = Object.freeze([])

/** A frozen body never changes: it is checked and serialized once, however often it is sent (docs/decisions/004). */
function serialize(context: StepContext, outgoing: Outgoing): Serialized {
  const { contract } = context
  const { body, headers } = outgoing
  if (typeof body === 'string' && Object.keys(headers ?? {}).some(isContentType)) {
    return { text: body, deviations: deviationsOf(context, outgoing) }
  }
  if (typeof body !== 'object' || body === null || !Object.isFrozen(body)) {
    return { text: JSON.stringify(body), deviations: deviationsOf(context, outgoing) }
  }
  let known = serialized.get(body)
  if (known?.contract !== contract) {
    const text = JSON.stringify(body)
    known = { contract, text, bytes: Buffer.from(text), deviations: deviationsOf(context, outgoing) }
    serialized.set(body, known)
  }
  return known
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === 'content-type'
}

/** What a gateway answers is not the operation's, and departs from nothing. */
function deviationsOf({ contract }: StepContext, { status, body, offContract = false }: Outgoing) {
  if (isGatewayStatus(contract, status)) return NONE
  return checkBody(contract, status, bodySchema(contract, status), body, offContract)
}

function breakOff({ reply, world, exchange }: StepContext, fault: Fault): void {
  world.journal.close(exchange, null, { headers: {}, body: null, fault })
  breakConnection(reply, fault)
}
