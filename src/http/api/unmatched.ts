import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Form } from '../../../schemas/common.js'
import { type Contract, isRead } from '../../../schemas/contract.js'
import type { Operation } from '../../operations/handler.js'
import { type Found, suspicionOf, type Violation, violationOf } from '../../validation/violation.js'
import { baseUrlOf } from '../base-url.js'
import { Problem } from '../problems.js'
import { pathOf } from '../world-of.js'
import { correctedCall } from './correction.js'
import { deliverProblem } from './deliver.js'
import { formMeant } from './form-meant.js'
import { matches, type NearRoute, nearestRoute } from './near-route.js'
import { readPreferences } from './preferences.js'
import type { Arrival } from './step-context.js'
import { textOf } from './steps/read-request.js'

/** Answers a request that no operation matches: the nearest route, or the methods that the path allows. */
export function answerUnmatched(operations: readonly Operation[]) {
  const contracts = operations.map(({ contract }) => contract)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { method, url, bytes } = request
    const arrival = request.arrival as Arrival
    const { exchange } = arrival
    const path = pathOf(url)
    const here = contracts.filter((contract) => matches(contract, path))
    const near = nearestRoute(here.length > 0 ? here : contracts, method, path)
    const { problem, violation } = unmatched(here, near, method, path)
    exchange.violations = [violation]
    exchange.answeredBy = 'routing'
    exchange.expected = expectationOf(request)
    exchange.text = textOf(bytes)
    if (near.isNear && near.isWhole && mayMean(methodMeant(request), near.contract, path))
      noteMeant(arrival, near, bytes && (await formMeant(request, bytes, near.contract)))
    deliverProblem(arrival, problem)
    return reply
  }
}

/** What is said of a request that no operation matches, to the client and in the journal. */
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
    `${path} takes ${allow}, not ${method}: ${operations.join(', ')}.`,
    { allow: methods, operations },
    { allow },
  )
  const found = foundIn(problem, 'method', `Use ${methods.join(' or ')}.`)
  return { problem, violation: violationOf(found, [own.cites[0]]) }
}

/** Nothing forbids other paths: it is surely a mistake, but no rule is broken. */
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

/** The status that the client says it expects; one that cannot be read is none. */
export function expectationOf({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>): number | null {
  try {
    return readPreferences(headers.prefer, { ...(query as Record<string, unknown>) })?.expect ?? null
  } catch {
    return null
  }
}

/** What leaves everything as it was (RFC 9110, section 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Words of a path that read, take away or turn off, whatever the method is. */
const READS_OR_REMOVES =
  /^(?:all|archive|cancel|check|clear|count|deactivate|decline|delete|destroy|detach|disable|exists|export|fetch|find|get|index|info|list|lookup|query|read|remove|revoke|search|show|status|unlink|view|withdraw)$/i

/** Whether a request may be corrected to an operation: a write never comes of a read, nor of a delete. */
function mayMean(method: string, contract: Contract, path: string): boolean {
  if (method === 'DELETE' || contract.method === 'DELETE') return method === contract.method
  if (isRead(contract)) return true
  const words = wordsIn(path).filter((word) => !wordsIn(contract.path).includes(word))
  return !SAFE.has(method) && !words.some((word) => READS_OR_REMOVES.test(word))
}

function wordsIn(path: string): string[] {
  return path.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/)
}

/** The method that a client means which can send only some, as some frameworks read it. */
function methodMeant({ method, headers, query }: FastifyRequest): string {
  const { _method = headers['x-http-method-override'] ?? method } = query as Readonly<Record<string, unknown>>
  return String(_method).toUpperCase()
}

/** Notes which call was meant. */
function noteMeant({ exchange, request, world }: Arrival, { contract, params }: NearRoute, form: Form | null): void {
  exchange.params = params
  exchange.query = Object.fromEntries(
    Object.entries(request.query as object).filter(([name]) => !name.startsWith('__')),
  )
  const called = { contract, world, user: null, form, baseUrl: baseUrlOf(request, world) }
  exchange.correction = (one, redact) => correctedCall(one, called, redact)
}
