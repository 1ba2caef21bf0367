import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { outcomeId } from '../../contract/contract.js'
import { BODILESS } from '../../files/scenario.js'
import { type Answer, NEW_ANSWER } from '../../journal/exchange.js'
import { leadingTo, NO_VIOLATIONS, suspicionOf, type Violation } from '../../judge/violation.js'
import { sleep } from '../../timers.js'
import { EXPOSE_HEADERS } from '../cors.js'
import type { Problem } from '../problems.js'
import type { Call } from './call.js'
import { endAborted, endExchange } from './exchange.js'
import { breakConnection } from './faults.js'
import { expectedStatusOf } from './preferences.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export async function send(call: Call, decided: Answer): Promise<FastifyReply> {
  const { request, reply } = call.fastify
  const { status, fault } = decided
  const { preferences } = call.request
  const delay = Math.max(decided.delay ?? 0, preferences?.delay ?? 0)
  const violations =
    fault === undefined ? withExpectation(decided.violations, preferences?.expect, status) : decided.violations
  const headers = headersOf(call, decided)
  request.answer = { ...decided, headers, violations }
  if (delay > 0) await wait(call, delay)
  // `inject` has no real socket, so test for false.
  if (request.raw.socket.writable === false) {
    endAborted(request)
    return reply.hijack()
  }
  if (fault !== undefined) {
    endExchange(request, { ...request.answer, headers: {} }, null, null)
    return breakConnection(request, reply, fault)
  }
  const payload = payloadOf(decided)
  if (decided.dribble === undefined || payload === undefined) return reply.code(status).headers(headers).send(payload)
  const bytes = Buffer.isBuffer(payload)
    ? payload
    : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  endExchange(request, request.answer, status, decided.passedOn?.text ?? String(bytes))
  const pieces = Readable.from(inPieces(bytes, decided.dribble), { objectMode: false })
  return reply
    .code(status)
    .headers({ ...headers, 'content-length': bytes.byteLength })
    .send(pieces)
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem) {
  const { code, status, message: why, cause, responseHeaders: headers, violation } = problem
  // The query has lost the parameters that were read.
  const expected = request.received?.preferences?.expect ?? expectedStatusOf(request)
  const found = violation === undefined ? NO_VIOLATIONS : leadingTo(status, [violation], expected)
  const violations = withExpectation(found, expected, status)
  request.answer = {
    ...NEW_ANSWER,
    status,
    body: null,
    step: 'routing',
    headers,
    cause,
    why,
    violations,
    problem: code,
  }
  const { sandbox, id } = request.begun
  reply.header('x-mock-exchange', id)
  if (sandbox.clock.isFrozen) reply.header('date', new Date(sandbox.clock.now()).toUTCString())
  return problem.send(reply)
}

/** Adds a violation if the client says that it expects another status. */
function withExpectation(
  violations: readonly Violation[],
  expected: number | undefined,
  status: number,
): readonly Violation[] {
  if (expected === undefined || expected === status) return violations
  const unmet = suspicionOf({
    code: 'expectation-unmet',
    message: `The request says that it expects ${expected}, but it got ${status}.`,
    where: 'request',
    fix: `Change the request so that it gets ${expected}, or expect ${status}.`,
  })
  return [...violations, unmet]
}

function headersOf({ fastify, sandbox, contract, request }: Call, { status, headers, passedOn }: Answer) {
  const isOwn = passedOn === undefined
  const all: Record<string, string | string[]> = isOwn ? { 'content-type': JSON_TYPE } : { ...passedOn.headers }
  all['x-mock-outcome'] = outcomeId(contract, status)
  all['x-mock-exchange'] = fastify.request.begun.id
  if (request.preferences !== null) all['preference-applied'] = request.preferences.applied
  if (isOwn && status === 401) all['www-authenticate'] = 'Bearer'
  if (isOwn && sandbox.clock.isFrozen) all.date = new Date(sandbox.clock.now()).toUTCString()
  for (const name in headers) all[name.toLowerCase()] = headers[name] as string | string[]
  if (all[EXPOSE_HEADERS] !== undefined) {
    const exposed = [fastify.reply.getHeader(EXPOSE_HEADERS), all[EXPOSE_HEADERS]].filter((one) => one !== undefined)
    all[EXPOSE_HEADERS] = exposed.join(', ')
  }
  if (isOwn && BODILESS.has(status)) delete all['content-type']
  return all
}

function payloadOf({ status, body, headers = {} }: Answer): unknown {
  if (BODILESS.has(status)) return undefined
  if (typeof body !== 'string') return body
  // As bytes: Fastify would add a charset to text with a JSON type.
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return isTyped ? Buffer.from(body) : JSON.stringify(body)
}

/** The first piece leaves at once, and the last when the duration is over. */
async function* inPieces(bytes: Buffer, { chunks, duration }: NonNullable<Answer['dribble']>) {
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
