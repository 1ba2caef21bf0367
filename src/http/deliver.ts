import type { FastifyReply } from 'fastify'
import { isSuccess } from '../../schemas/contract.js'
import { bodySchema, envelopeOf, sampleBody } from '../../schemas/errors.js'
import type { Fault } from '../../schemas/scenario.js'
import type { Exchange } from '../exchange.js'
import { checkBody } from './check-response.js'
import { breakConnection } from './faults.js'
import type { Problem } from './problems.js'

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
export function sample({ contract, world }: Exchange, status: number): Outgoing {
  return { status, body: contract === null ? null : sampleBody(contract, status, world.readings.errorBody) }
}

/** Sends an answer of the API: after its delay, checked against the contract, entered in the journal. */
export function deliver(exchange: Exchange, reply: FastifyReply, outgoing: Outgoing): void {
  hold(exchange, reply, () => {
    if (outgoing.fault === undefined) send(exchange, reply, outgoing)
    else breakOff(exchange, reply, outgoing.fault)
  })
}

/** Sends what only the mock says. */
export function deliverProblem(exchange: Exchange, reply: FastifyReply, problem: Problem): void {
  exchange.why = problem.message
  exchange.close(problem.status, { headers: problem.headersSent, body: problem.body })
  reply.header('x-mock-exchange', exchange.id)
  problem.send(reply)
}

function hold(exchange: Exchange, reply: FastifyReply, go: () => void): void {
  if (exchange.delay <= 0) return go()
  const timer = setTimeout(go, exchange.delay)
  // A client that left, or a server that closes, waits for nothing.
  reply.raw.once('close', () => clearTimeout(timer))
}

function send(exchange: Exchange, reply: FastifyReply, { status, body, headers, offContract = false }: Outgoing): void {
  const { contract, world, preferences } = exchange
  const schema = contract === null ? undefined : bodySchema(contract, status, world.readings.errorBody)
  if (contract !== null) exchange.deviations = checkBody(contract, status, schema, body, offContract)
  const text = typeof body === 'string' && headers?.['content-type'] !== undefined ? body : JSON.stringify(body)
  reply.code(status)
  reply.header('content-type', JSON_TYPE)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  if (preferences !== null) reply.header('preference-applied', preferences.applied)
  if (world.clock.frozen) reply.header('date', new Date(world.clock.now()).toUTCString())
  reply.header('x-mock-outcome', `${contract?.id}:${status}`)
  reply.header('x-mock-exchange', exchange.id)
  if (headers !== undefined) reply.headers(headers)
  exchange.close(status, { headers: reply.getHeaders() as Record<string, string>, body: text })
  reply.send(text)
}

function breakOff(exchange: Exchange, reply: FastifyReply, fault: Fault): void {
  exchange.close(null, { headers: {}, body: null, fault })
  breakConnection(reply, fault)
}
