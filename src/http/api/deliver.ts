import type { FastifyReply } from 'fastify'
import { SAMPLE_ORIGIN } from '../../../schemas/common.js'
import { isSuccess, outcomeId } from '../../../schemas/contract.js'
import { bodySchema, envelopeOf, sampleBody } from '../../../schemas/errors.js'
import type { Fault } from '../../../schemas/scenario.js'
import { checkBody } from '../../validation/deviations.js'
import type { Deviation } from '../../validation/violation.js'
import type { Exchange } from '../../world/journal/exchange.js'
import type { World } from '../../world/world.js'
import { baseUrlOf } from '../base-url.js'
import type { Problem } from '../problems.js'
import { batchReply } from './batch-replies.js'
import { breakConnection } from './faults.js'

const JSON_TYPE = 'application/json; charset=utf-8'

/** An answer on its way to the client. */
export interface Outgoing {
  readonly status: number
  /** The whole body, envelope included. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly fault?: Fault
  /** Whether the body departs from the contract on purpose. */
  readonly offContract?: boolean
}

/** A declared answer: a 200's body as it is, an error's message in its envelope. */
export function declared(exchange: Exchange, status: number, body: unknown): Outgoing {
  const response = exchange.contract?.responses[status]
  if (response === undefined || isSuccess(response)) return { status, body }
  return { status, body: envelopeOf(response, exchange.world.readings.errorBody).body(status, body as string) }
}

/** The sample answer of a declared status. */
export function sampleAnswer(exchange: Exchange, status: number): Outgoing {
  const { contract, world } = exchange
  const body = contract === null ? null : sampleBody(contract, status, world.readings.errorBody)
  return { status, body: withOwnLinks(body, exchange) }
}

/** The sample's links lead to this server, and into the world that was called. */
function withOwnLinks(body: unknown, exchange: Exchange): unknown {
  const text = JSON.stringify(body)
  return text.includes(SAMPLE_ORIGIN)
    ? JSON.parse(text.replaceAll(SAMPLE_ORIGIN, baseUrlOf(exchange, exchange.world)))
    : body
}

/** Sends an answer of the API: after its delay, checked against the contract, entered in the journal. */
export function deliver(exchange: Exchange, reply: FastifyReply, outgoing: Outgoing): void {
  if (exchange.answeredBy !== 'operate') giveBack(exchange)
  hold(exchange, reply, () => {
    if (outgoing.fault === undefined) send(exchange, reply, outgoing)
    else breakOff(exchange, reply, outgoing.fault)
  })
}

function httpDate({ clock }: World): string {
  return new Date(clock.now()).toUTCString()
}

/** Sends what only the mock says. */
export function deliverProblem(exchange: Exchange, reply: FastifyReply, problem: Problem): void {
  exchange.why = problem.message
  exchange.problem = true
  giveBack(exchange)
  exchange.close(problem.status, { headers: problem.headersSent, body: problem.body })
  reply.header('x-mock-exchange', exchange.id)
  if (exchange.world.clock.frozen) reply.header('date', httpDate(exchange.world))
  problem.send(reply)
}

/** A rule that waits for an operation which has not taken place is not spent. */
export function giveBack(exchange: Exchange): void {
  if (exchange.plan === null) return
  exchange.plan.takeBack()
  exchange.plan = null
  exchange.cause = 'natural'
}

function hold(exchange: Exchange, reply: FastifyReply, go: () => void): void {
  if (exchange.delay <= 0) return go()
  // A client that left, or a server that closes, waits for nothing.
  const left = () => {
    clearTimeout(timer)
    exchange.why = 'the connection ended before the answer, which was held back'
    exchange.close(null, { headers: {}, body: null })
  }
  const timer = setTimeout(() => {
    reply.raw.off('close', left)
    go()
  }, exchange.delay)
  reply.raw.once('close', left)
}

function send(exchange: Exchange, reply: FastifyReply, outgoing: Outgoing): void {
  const { contract, preferences, world } = exchange
  const { status, offContract = false } = outgoing
  const schema = contract === null ? undefined : bodySchema(contract, status, world.readings.errorBody)
  const { text, bytes, deviations } = written(outgoing, () =>
    contract === null ? NONE : checkBody(contract, status, schema, outgoing.body, offContract),
  )
  exchange.deviations = deviations
  const headers: Record<string, string> = {
    'content-type': JSON_TYPE,
    'x-mock-outcome': contract === null ? '' : outcomeId(contract, status),
    'x-mock-exchange': exchange.id,
  }
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (preferences !== null) headers['preference-applied'] = preferences.applied
  if (world.clock.frozen) headers.date = httpDate(world)
  for (const name in outgoing.headers) headers[name.toLowerCase()] = outgoing.headers[name] as string
  exchange.close(status, { headers, body: text })
  reply.code(status).headers(headers)
  batchReply(reply, bytes ?? text)
}

/** A body as it is sent, and how it departs from its contract. */
interface Written {
  readonly text: string
  /** The text in bytes, where it is kept: encoding it is most of the work of sending it. */
  readonly bytes?: Buffer
  readonly deviations: readonly Deviation[]
}

const NONE: readonly Deviation[] = Object.freeze([])
const known = new WeakMap<object, Written>()

/** A frozen body never changes: it is checked and written out once, however often it is sent. */
function written({ body, headers }: Outgoing, check: () => readonly Deviation[]): Written {
  if (typeof body === 'string' && Object.keys(headers ?? {}).some(isContentType))
    return { text: body, deviations: check() }
  if (typeof body !== 'object' || body === null || !Object.isFrozen(body))
    return { text: JSON.stringify(body), deviations: check() }
  let one = known.get(body)
  if (one === undefined) {
    const text = JSON.stringify(body)
    one = { text, bytes: Buffer.from(text), deviations: check() }
    known.set(body, one)
  }
  return one
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === 'content-type'
}

function breakOff(exchange: Exchange, reply: FastifyReply, fault: Fault): void {
  exchange.close(null, { headers: {}, body: null, fault })
  breakConnection(reply, fault)
}
