import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BODILESS, outcomeId } from '../../contract/contract.js'
import { type Answer, type FaultAnswer, type Headers, NO_EFFECTS, type Playing } from '../../journal/exchange.js'
import { markRefused, NO_VIOLATIONS, type Violation, violationOf } from '../../judge/violation.js'
import type { Clock } from '../../sandbox/clock.js'
import { sleep } from '../../timers.js'
import { EXPOSE_HEADERS } from '../cors.js'
import type { Problem } from '../problems.js'
import type { Call } from './call.js'
import { breakConnection } from './faults.js'
import { exchangeOf } from './pending-exchange.js'
import { expectedStatusOf } from './preferences.js'

const JSON_TYPE = 'application/json; charset=utf-8'

type SentAnswer = Exclude<Answer, FaultAnswer>

export async function send(call: Call, decided: Answer): Promise<FastifyReply> {
  const { exchange, fastify } = call
  const { request, reply } = fastify
  const { preferences } = call.request
  const delay = Math.max(decided.playing?.delay ?? 0, preferences?.delay ?? 0)
  const isFault = decided.kind === 'fault'
  const expected = preferences?.expect
  const violations =
    isFault || expected === undefined
      ? decided.violations
      : withExpectation(decided.violations, expected, decided.status)
  const headers = isFault ? {} : headersOf(call, decided)
  const outgoing = { answer: { ...decided, violations }, headers }
  exchange.outgoing = outgoing
  if (delay > 0) await wait(call, delay)
  // `inject` has no real socket, so test for false.
  if (request.raw.socket.writable === false) {
    exchange.abort()
    return reply.hijack()
  }
  if (isFault) {
    // A call that hangs is pending until the client or the server ends it.
    if (decided.fault !== 'TIMEOUT') exchange.end(outgoing, null, null)
    return breakConnection(request, reply, decided.fault)
  }
  const { status, playing } = decided
  const payload = payloadOf(decided, headers)
  if (playing?.dribble === undefined || payload === undefined) return reply.code(status).headers(headers).send(payload)
  const bytes = Buffer.isBuffer(payload)
    ? payload
    : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  exchange.end(outgoing, status, decided.kind === 'forwarded' ? decided.text : String(bytes))
  const pieces = Readable.from(inPieces(bytes, playing.dribble), { objectMode: false })
  return reply
    .code(status)
    .headers({ ...headers, 'content-length': bytes.byteLength })
    .send(pieces)
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem) {
  const { code, status, message: why, cause, responseHeaders: headers, violation } = problem
  const exchange = exchangeOf(request)
  // The query has lost the parameters that were read.
  const expected = exchange.receivedRequest?.preferences?.expect ?? expectedStatusOf(request)
  const refused = violation === undefined ? NO_VIOLATIONS : markRefused(status, [violation])
  const violations = expected === undefined ? refused : withExpectation(refused, expected, status)
  const answer: Answer = {
    kind: 'problem',
    code,
    status,
    headers,
    step: 'routing',
    cause,
    why,
    violations,
    ...NO_EFFECTS,
  }
  exchange.outgoing = { answer, headers }
  reply.header('x-mock-exchange', exchange.id)
  const { clock } = exchange.sandbox
  if (clock.isFrozen) reply.header('date', dateOf(clock))
  return problem.send(reply)
}

function withExpectation(violations: readonly Violation[], expected: number, status: number): readonly Violation[] {
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

function headersOf({ fastify, exchange, sandbox, contract, request }: Call, answer: SentAnswer): Headers {
  const { status, playing } = answer
  const isForwarded = answer.kind === 'forwarded'
  const all: Record<string, string | string[]> = isForwarded ? { ...answer.headers } : { 'content-type': JSON_TYPE }
  all['x-mock-outcome'] = outcomeId(contract, status)
  all['x-mock-exchange'] = exchange.id
  if (request.preferences !== null) all['preference-applied'] = request.preferences.appliedHeader
  if (!isForwarded) {
    const hasScheme = contract.tokenHeaders[0]?.scheme !== undefined
    if (status === 401 && hasScheme) all['www-authenticate'] = 'Bearer'
    if (sandbox.clock.isFrozen) all.date = dateOf(sandbox.clock)
  }
  if (answer.kind === 'scripted') add(all, answer.headers)
  if (playing !== undefined) add(all, playing.headers)
  if (all[EXPOSE_HEADERS] !== undefined) {
    const exposed = [fastify.reply.getHeader(EXPOSE_HEADERS), all[EXPOSE_HEADERS]].filter((one) => one !== undefined)
    all[EXPOSE_HEADERS] = exposed.join(', ')
  }
  if (!isForwarded && BODILESS.has(status)) delete all['content-type']
  return all
}

function add(all: Record<string, string | string[]>, headers: Playing['headers']): void {
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value
}

function dateOf(clock: Clock): string {
  return new Date(clock.now()).toUTCString()
}

function payloadOf(answer: SentAnswer, headers: Headers): unknown {
  if (BODILESS.has(answer.status) || answer.kind === 'problem') return undefined
  if (answer.kind === 'forwarded') return answer.bytes
  const { body } = answer
  if (typeof body !== 'string') return body
  // As bytes: Fastify would add a charset to text with a JSON type.
  return headers['content-type'] === JSON_TYPE ? JSON.stringify(body) : Buffer.from(body)
}

/** The first piece leaves at once, and the last when the duration is over. */
async function* inPieces(bytes: Buffer, { chunks, duration }: NonNullable<Playing['dribble']>) {
  const size = Math.max(1, Math.ceil(bytes.byteLength / chunks))
  const pauses = Math.ceil(bytes.byteLength / size) - 1
  for (let at = 0; at < bytes.byteLength; at += size) {
    if (at > 0 || pauses === 0) await sleep(duration / Math.max(1, pauses), undefined, { ref: false })
    yield bytes.subarray(at, at + size)
  }
}

/** Also ends when the client leaves. */
async function wait({ fastify: { reply, request } }: Call, ms: number): Promise<void> {
  // A pipelined answer has no socket yet.
  const connection = reply.raw.socket === null ? request.raw.socket : reply.raw
  if (connection.destroyed) return
  const gone = new AbortController()
  const end = () => gone.abort()
  connection.once('close', end)
  await sleep(ms, undefined, { signal: gone.signal }).catch(() => {})
  connection.off('close', end)
}
