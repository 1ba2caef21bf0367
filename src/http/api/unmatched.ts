import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '../../../schemas/contract.js'
import type { Operation } from '../../operations/handler.js'
import { suspicionOf, type Violation, violationOf } from '../../validation/violation.js'
import type { World } from '../../world/world.js'
import { SANDBOX_NAME, type Worlds } from '../../world/worlds.js'
import { baseUrlOf } from '../base-url.js'
import { Problem } from '../problems.js'
import { badSandboxName } from '../world-of.js'
import { correctedLine } from './correction.js'
import { deliverProblem } from './deliver.js'
import { aligned, isNear, matches, nearestRoute } from './near-route.js'
import { readPreferences } from './preferences.js'
import { arrive } from './route.js'
import type { Arrival } from './step-context.js'
import { asText } from './steps/read-request.js'

/** Answers a request that no operation matches: the nearest route, or the methods that the path allows. */
export function answerUnmatched(operations: readonly Operation[], worlds: Worlds) {
  const contracts = operations.map(({ contract }) => contract)
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { method, url } = request
    const path = url.split('?')[0] as string
    const [, name, rest] = /^\/~([^/]*)(.*)$/.exec(path) ?? []
    const sandbox = name === undefined ? undefined : decodeURIComponent(name)
    const named = sandbox === undefined || SANDBOX_NAME.test(sandbox)
    const world = sandbox !== undefined && named ? (worlds.sandbox(sandbox) as World) : worlds.root
    const arrival = arrive(world, null, request, reply)
    request.arrival = arrival
    const { exchange } = arrival
    const called = (rest ?? path) || '/'
    const problem = named ? unmatched(contracts, method, called) : badSandboxName(sandbox)
    exchange.violations = [nearMiss(problem, contracts, called)]
    exchange.answeredBy = 'routing'
    exchange.expected = expectationOf(request)
    exchange.text = asText(request.body)
    noteMeant(arrival, contracts, called)
    deliverProblem(arrival, problem)
    return reply
  }
}

function unmatched(contracts: readonly Contract[], method: string, path: string): Problem {
  const here = contracts.filter((contract) => matches(contract, path))
  if (here.length > 0) {
    const allow = here.map((contract) => contract.method).join(', ')
    return new Problem(
      'method-not-allowed',
      `${path} takes ${allow}, not ${method}: ${here.map(({ id }) => id).join(', ')}.`,
      { allow: here.map((contract) => contract.method), operations: here.map(({ id }) => id) },
      { allow },
    )
  }
  const near = nearestRoute(contracts, method, path)
  return new Problem(
    'no-such-route',
    `No operation matches ${method} ${path}. The nearest is ${near.method} ${near.path} (${near.id}).`,
    { nearest: { operation: near.id, method: near.method, path: near.path } },
  )
}

/** The status that the client says it expects; one that cannot be read is none. */
export function expectationOf({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>): number | null {
  try {
    return readPreferences(headers.prefer, { ...(query as Record<string, unknown>) })?.expect ?? null
  } catch {
    return null
  }
}

/** Notes which call was meant, where that is plain: the path is one's own, or nearly. */
function noteMeant({ exchange, request, world }: Arrival, contracts: readonly Contract[], path: string): void {
  const contract = contracts.find((one) => matches(one, path)) ?? nearestRoute(contracts, exchange.method, path)
  if (!isNear(contract, path)) return
  exchange.params = aligned(contract, path).params
  exchange.query = Object.fromEntries(
    Object.entries(request.query as object).filter(([name]) => !name.startsWith('__')),
  )
  const called = { contract, world, user: null, baseUrl: baseUrlOf(request, world) }
  exchange.correction = (one, redact) => correctedLine(one, called, redact)
}

/** The near miss as a violation: what the client should have called. */
function nearMiss({ code, message, extra }: Problem, contracts: readonly Contract[], path: string): Violation {
  const { nearest, allow, operations } = extra as {
    nearest?: { operation: string; method: string; path: string }
    allow?: string[]
    operations?: string[]
  }
  const near = contracts.find(({ id }) => id === nearest?.operation)
  const fix =
    near === undefined
      ? `Use ${allow?.join(' or ') ?? 'a sandbox name such as worker-3'}.`
      : isNear(near, path)
        ? `${near.method} ${near.path}`
        : "Call one of the operations: 'countersign list operations' prints them."
  const found = { code, message, where: allow === undefined ? 'url' : 'method', fix }
  // Nothing forbids other paths, but a documented path has its method.
  const contract = contracts.find(({ id }) => operations?.includes(id))
  return contract === undefined ? suspicionOf(found) : violationOf(found, [contract.cites[0]])
}
