import { distance } from 'fastest-levenshtein'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '../../../schemas/contract.js'
import type { Operation } from '../../operations/handler.js'
import { suspicionOf, type Violation, violationOf } from '../../validation/violation.js'
import type { World } from '../../world/world.js'
import { SANDBOX_NAME, type Worlds } from '../../world/worlds.js'
import { Problem } from '../problems.js'
import { badSandboxName } from '../world-of.js'
import { deliverProblem } from './deliver.js'
import { arrive } from './route.js'

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
    const problem = named ? unmatched(contracts, method, (rest ?? path) || '/') : badSandboxName(sandbox)
    arrival.exchange.violations = [nearMiss(problem, contracts)]
    arrival.exchange.answeredBy = 'routing'
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

/** The near miss as a violation: what the client should have called. */
function nearMiss({ code, message, extra }: Problem, contracts: readonly Contract[]): Violation {
  const { nearest, allow, operations } = extra as {
    nearest?: { operation: string; method: string; path: string }
    allow?: string[]
    operations?: string[]
  }
  const fix =
    nearest === undefined
      ? `Use ${allow?.join(' or ') ?? 'a sandbox name such as worker-3'}.`
      : `${nearest.method} ${nearest.path}`
  const found = { code, message, where: allow === undefined ? 'url' : 'method', fix }
  const contract = contracts.find(({ id }) => operations?.includes(id) || id === nearest?.operation)
  return contract === undefined ? suspicionOf(found) : violationOf(found, contract.cites)
}

function matches({ path }: Contract, given: string): boolean {
  const template = path.split('/')
  const segments = given.split('/')
  return (
    template.length === segments.length &&
    template.every((segment, at) => (segment.startsWith('{') ? segments[at] !== '' : segment === segments[at]))
  )
}

/** The route whose path needs the fewest letters changed; a variable matches any segment. */
function nearestRoute(contracts: readonly Contract[], method: string, given: string): Contract {
  const segments = given.split('/')
  const far = (contract: Contract) => {
    const filled = contract.path.split('/').map((one, at) => (one.startsWith('{') ? (segments[at] ?? one) : one))
    return distance(filled.join('/'), given) + (contract.method === method ? 0 : 0.5)
  }
  return contracts.reduce((best, one) => (far(one) < far(best) ? one : best))
}
