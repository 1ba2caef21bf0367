import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Contract, isRead } from '../../../schemas/contract.js'
import type { Operation } from '../../operations/handler.js'
import { wordsIn } from '../../text/nearest.js'
import { type Found, suspicionOf, type Violation, violationOf } from '../../validation/violation.js'
import { Problem } from '../problems.js'
import { pathOf } from '../sandbox-of.js'
import { correctionOf } from './correction.js'
import type { Arrival, ExchangeResult } from './exchange.js'
import { matches, type NearRoute, nearestRoute } from './near-route.js'
import { expectedStatusOf } from './preferences.js'
import { bytesOf, type ParsedRequest, textOf } from './receive.js'
import { sendProblem } from './send.js'

export function createNotFoundHandler(operations: readonly Operation[]) {
  const contracts = operations.map(({ contract }) => contract)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { method, url } = request
    const path = pathOf(url)
    const here = contracts.filter((contract) => matches(contract, path))
    const near = nearestRoute(here.length > 0 ? here : contracts, method, path)
    const { problem, violation } = unmatched(here, near, method, path)
    request.received = await receive(request)
    const corrected = mayMean(methodMeant(request), near, path) ? await correctedBy(request, near) : {}
    return sendProblem(request, reply, problem, {
      violations: [violation],
      expected: expectedStatusOf(request),
      ...corrected,
    })
  }
}

interface Unmatched {
  readonly problem: Problem
  readonly violation: Violation
}

function unmatched(here: readonly Contract[], near: NearRoute, method: string, path: string): Unmatched {
  const [own] = here
  return own === undefined ? noSuchRoute(near, method, path) : methodNotAllowed(own, here, method, path)
}

function methodNotAllowed(own: Contract, here: readonly Contract[], method: string, path: string): Unmatched {
  const [methods, operations] = [here.map((contract) => contract.method), here.map(({ id }) => id)]
  const allow = methods.join(', ')
  const problem = new Problem(
    'method-not-allowed',
    `${operations.join(', ')} (${path}) takes ${allow}, not ${method}.`,
    { allow: methods, operations },
    { allow },
  )
  const found = foundIn(problem, 'method', `Use ${methods.join(' or ')}.`)
  return { problem, violation: violationOf(found, [own.cites[0]]) }
}

/** The methods of a path; of all operations if the path is unknown. */
export function allowedMethods(contracts: readonly Contract[], path: string): string {
  const here = contracts.filter((contract) => matches(contract, path))
  const methods = (here.length > 0 ? here : contracts).map(({ method }) => method)
  return [...new Set(methods)].sort().join(', ')
}

function noSuchRoute({ contract, isNear }: NearRoute, method: string, path: string): Unmatched {
  const route = `${contract.method} ${contract.path}`
  const problem = new Problem(
    'no-such-route',
    `No operation matches ${method} ${path}. The nearest is ${route} (${contract.id}).`,
    { nearest: { operation: contract.id, method: contract.method, path: contract.path } },
  )
  const fix = isNear ? route : "Call one of the operations. 'countersign list operations' shows them."
  return { problem, violation: suspicionOf(foundIn(problem, 'url', fix)) }
}

function foundIn({ code, message }: Problem, where: string, fix: string): Found {
  return { code, message, where, fix }
}

/** RFC 9110, section 9.2.1. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Words for reading or removing, in paths of any method. */
const READS_OR_REMOVES =
  /^(?:all|archive|cancel|check|clear|count|deactivate|decline|delete|destroy|detach|disable|exists|export|fetch|find|get|index|info|list|lookup|query|read|remove|revoke|search|show|status|unlink|view|withdraw)$/i

/** A read or a delete is never corrected to a write. */
function mayMean(method: string, { contract, isNear, isWhole }: NearRoute, path: string): boolean {
  if (!isNear || !isWhole) return false
  if (method === 'DELETE' || contract.method === 'DELETE') return method === contract.method
  if (isRead(contract)) return true
  const words = wordsIn(path).filter((word) => !wordsIn(contract.path).includes(word))
  return !SAFE.has(method) && !words.some((word) => READS_OR_REMOVES.test(word))
}

/** Some clients send the method in the query or a header. */
function methodMeant({ method, headers, query }: FastifyRequest): string {
  const { _method = headers['x-http-method-override'] ?? method } = query as Readonly<Record<string, unknown>>
  return String(_method).toUpperCase()
}

async function correctedBy(request: FastifyRequest, { contract, params }: NearRoute): Promise<Partial<ExchangeResult>> {
  const query = Object.fromEntries(Object.entries(request.query as object).filter(([name]) => !name.startsWith('__')))
  const { world } = request.arrival as Arrival
  const { headers, received } = request
  return {
    meant: { query, params },
    correction: await correctionOf({ request, world, contract, headers }, received?.bytes),
  }
}

async function receive(request: FastifyRequest): Promise<ParsedRequest> {
  const bytes = await bytesOf(request)
  return { preferences: null, query: {}, form: null, text: textOf(bytes), unreadable: null, bytes }
}
