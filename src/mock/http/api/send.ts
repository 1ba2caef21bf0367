import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { outcomeId } from '../../../../schemas/contract.js'
import { BODILESS } from '../../../../schemas/scenario.js'
import type { Problem } from '../problems.js'
import type { Answer, Call } from './call.js'
import { correctionOf } from './correction.js'
import { type ExchangeResult, record, recordAborted } from './exchange.js'
import { breakConnection } from './faults.js'
import { expectedStatusOf } from './preferences.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export async function send(call: Call, answer: Answer): Promise<FastifyReply> {
  const { request, reply } = call
  const { status, fault } = answer
  const headers = headersOf(call, answer)
  const correction = answer.violations.length === 0 ? null : await correctionOf(call)
  const result: ExchangeResult = { sentHeaders: headers, correction, ...answer }
  request.result = result
  const delay = Math.max(answer.delay ?? 0, call.preferences?.delay ?? 0)
  if (delay > 0) await wait(call, delay)
  // `inject` has no real socket, so test for false.
  if (request.raw.socket.writable === false) {
    recordAborted(request)
    return reply.hijack()
  }
  if (fault !== undefined) {
    record(request, result, null, { headers: {}, body: null, fault })
    return breakConnection(request, reply, fault)
  }
  return reply.code(status).headers(headers).send(payloadOf(answer))
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  correction?: ExchangeResult['correction'],
) {
  const { code, message: why, responseHeaders: sentHeaders, violation } = problem
  request.result = {
    step: 'routing',
    cause: code.startsWith('provider-') ? 'provider' : 'natural',
    why,
    violations: violation === undefined ? [] : [violation],
    problem: code,
    sentHeaders,
    correction,
    expected: expectedStatusOf(request),
  }
  const { sandbox, begun } = request.arrival
  reply.header('x-mock-exchange', begun.id)
  if (sandbox.clock.isFrozen) reply.header('date', new Date(sandbox.clock.now()).toUTCString())
  return problem.send(reply)
}

function headersOf({ request, sandbox, contract, preferences }: Call, { status, headers, provider }: Answer) {
  const isOwn = provider === undefined
  const all: Record<string, string | string[]> = isOwn ? { 'content-type': JSON_TYPE } : { ...provider.headers }
  all['x-mock-outcome'] = outcomeId(contract, status)
  all['x-mock-exchange'] = request.arrival.begun.id
  if (preferences !== null) all['preference-applied'] = preferences.applied
  if (isOwn && status === 401) all['www-authenticate'] = 'Bearer'
  if (isOwn && sandbox.clock.isFrozen) all.date = new Date(sandbox.clock.now()).toUTCString()
  Object.assign(all, inLowerCase(headers))
  if (isOwn && BODILESS.has(status)) delete all['content-type']
  return all
}

function inLowerCase(headers: Answer['headers']): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name in headers) all[name.toLowerCase()] = headers[name] as string
  return all
}

function payloadOf({ status, body, headers }: Answer): unknown {
  if (BODILESS.has(status)) return undefined
  if (typeof body !== 'string') return body
  // As bytes: Fastify would add a charset to text with a JSON type.
  return 'content-type' in inLowerCase(headers) ? Buffer.from(body) : JSON.stringify(body)
}

/** Also ends when the client leaves. */
async function wait({ reply, request }: Call, ms: number): Promise<void> {
  // A pipelined answer has no socket yet.
  const connection = reply.raw.socket === null ? request.raw.socket : reply.raw
  if (connection.destroyed) return
  const gone = new AbortController()
  const end = () => gone.abort()
  connection.once('close', end)
  await sleep(ms, undefined, { signal: gone.signal }).catch(() => {})
  connection.off('close', end)
}
