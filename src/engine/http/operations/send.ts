import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BODILESS, outcomeId } from '../../contract/contract.js'
import type { Answer, AppliedRule, FaultAnswer, Headers } from '../../journal/exchange.js'
import { markRefused, NO_VIOLATIONS, type Violation, violationOf } from '../../judge/violation.js'
import type { Clock } from '../../sandbox/clock.js'
import { sleep } from '../../timers.js'
import { EXPOSE_HEADERS } from '../cors.js'
import { type Problem, problemAnswer } from '../problems.js'
import type { Call } from './call.js'
import { breakConnection } from './faults.js'
import { exchangeOf, type OutgoingAnswer } from './pending-exchange.js'
import { expectedStatusOf } from './preferences.js'

const JSON_TYPE = 'application/json; charset=utf-8'

type SentAnswer = Exclude<Answer, FaultAnswer>

export async function send(call: Call, answer: Answer): Promise<FastifyReply> {
  const { exchange, fastify } = call
  const { preferences } = call.request
  const delay = Math.max(answer.appliedRule?.delay ?? 0, preferences?.delay ?? 0)
  const isFault = answer.kind === 'fault'
  const expected = preferences?.expect
  const violations =
    isFault || expected === undefined ? answer.violations : checkExpectation(answer.violations, expected, answer.status)
  const headers = isFault ? {} : headersOf(call, answer)
  exchange.outgoing = { answer: { ...answer, violations }, headers }
  if (delay === 0 && !isFault) return deliver(fastify, exchange, exchange.outgoing)
  // A call that waits must not hold its body in memory: nothing here refers to it after this line.
  exchange.releaseBody()
  return wait(fastify, delay).then(deliver.bind(null, fastify, exchange, exchange.outgoing))
}

async function deliver({ request, reply }: Call['fastify'], exchange: Call['exchange'], outgoing: OutgoingAnswer) {
  const { answer, headers } = outgoing
  // `inject` has no real socket, so test for false.
  if (request.raw.socket.writable === false) {
    exchange.abort()
    return reply.hijack()
  }
  if (answer.kind === 'fault') {
    // A hanging call is pending until the client or the server ends it.
    if (answer.fault !== 'TIMEOUT') exchange.end(outgoing, null, null)
    return breakConnection(request, reply, answer.fault)
  }
  const { status, appliedRule } = answer
  const payload = payloadOf(answer, headers)
  if (appliedRule?.dribble === undefined || payload === undefined)
    return reply.code(status).headers(headers).send(payload)
  const bytes = Buffer.isBuffer(payload)
    ? payload
    : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  exchange.end(outgoing, status, answer.kind === 'forwarded' ? answer.text : String(bytes))
  const pieces = Readable.from(splitOverTime(bytes, appliedRule.dribble), { objectMode: false })
  return reply
    .code(status)
    .headers({ ...headers, 'content-length': bytes.byteLength })
    .send(pieces)
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem) {
  const { status, violation, responseHeaders } = problem
  const exchange = exchangeOf(request)
  const headers: Record<string, string | string[]> = { ...responseHeaders, 'x-mock-exchange': exchange.id }
  if (exchange.sandbox.clock.isFrozen) headers.date = dateOf(exchange.sandbox.clock)
  // The query no longer contains preferences that were read.
  const expected = exchange.receivedRequest?.preferences?.expect ?? expectedStatusOf(request)
  const causes = violation === undefined ? NO_VIOLATIONS : markRefused(status, [violation])
  exchange.outgoing = { answer: problemAnswer(problem, checkExpectation(causes, expected, status)), headers }
  return reply.code(status).headers(headers).send(problem.body)
}

/** Marks expected violations; adds one if the client expects another status. */
function checkExpectation(violations: readonly Violation[], expected: number | undefined, status: number) {
  if (expected === undefined) return violations
  const marked = violations.map((one) => (one.refusedWith === expected ? { ...one, expected: true } : one))
  if (expected === status) return marked
  const unmet = violationOf({
    code: 'expectation-unmet',
    message: `The request expects ${expected}, but got ${status}.`,
    where: 'request',
    fix: `Change the request so that it gets ${expected}, or expect ${status}.`,
  })
  return [...marked, unmet]
}

/** Headers of CORS to which an answer may add. */
const JOINED = [EXPOSE_HEADERS, 'vary']

function headersOf({ fastify, exchange, sandbox, contract, request }: Call, answer: SentAnswer): Headers {
  const { status, appliedRule } = answer
  const isForwarded = answer.kind === 'forwarded'
  const headers: Record<string, string | string[]> = isForwarded ? { ...answer.headers } : { 'content-type': JSON_TYPE }
  headers['x-mock-outcome'] = outcomeId(contract, status)
  headers['x-mock-exchange'] = exchange.id
  if (request.preferences !== null) headers['preference-applied'] = request.preferences.appliedHeader
  if (!isForwarded) {
    const hasScheme = contract.tokenHeaders[0]?.scheme !== undefined
    if (status === 401 && hasScheme) headers['www-authenticate'] = 'Bearer'
    if (sandbox.clock.isFrozen) headers.date = dateOf(sandbox.clock)
  }
  const scripted = answer.kind === 'scripted' ? Object.entries(answer.headers) : []
  for (const [name, value] of [...scripted, ...Object.entries(appliedRule?.headers ?? {})])
    headers[name.toLowerCase()] = value
  for (const name of JOINED) {
    if (headers[name] === undefined) continue
    const lists = [fastify.reply.getHeader(name), headers[name]]
    headers[name] = lists.filter((list) => list !== undefined).join(', ')
  }
  if (!isForwarded && BODILESS.has(status)) delete headers['content-type']
  return headers
}

function dateOf(clock: Clock): string {
  return new Date(clock.now()).toUTCString()
}

function payloadOf(answer: SentAnswer, headers: Headers): unknown {
  if (BODILESS.has(answer.status) || answer.kind === 'problem') return undefined
  if (answer.kind === 'forwarded') return answer.bytes
  const { body } = answer
  const isText = typeof body === 'string'
  if (headers['content-type'] === JSON_TYPE) return isText ? JSON.stringify(body) : body
  // As bytes: Fastify would add a charset to text with a JSON type, and takes no object with another type.
  return Buffer.from(isText ? body : JSON.stringify(body))
}

/** Sends the first piece at once, and the last when the duration is over. */
async function* splitOverTime(bytes: Buffer, { chunks, duration }: NonNullable<AppliedRule['dribble']>) {
  const size = Math.max(1, Math.ceil(bytes.byteLength / chunks))
  const pauses = Math.ceil(bytes.byteLength / size) - 1
  for (let at = 0; at < bytes.byteLength; at += size) {
    if (at > 0 || pauses === 0) await sleep(duration / Math.max(1, pauses), undefined, { ref: false })
    yield bytes.subarray(at, at + size)
  }
}

/** Ends early if the client disconnects. */
async function wait({ reply, request }: Call['fastify'], ms: number): Promise<void> {
  // A pipelined answer has no socket yet.
  const connection = reply.raw.socket === null ? request.raw.socket : reply.raw
  if (connection.destroyed) return
  const disconnected = new AbortController()
  const abort = () => disconnected.abort()
  connection.once('close', abort)
  await sleep(ms, undefined, { signal: disconnected.signal }).catch(() => {})
  connection.off('close', abort)
}
