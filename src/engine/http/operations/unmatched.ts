import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Contract, fillPath, isReadOnly, matchesPath } from '../../contract/contract.js'
import { editDistance, wordsIn } from '../../contract/nearest.js'
import { parseBodyFields } from '../../judge/body-fields.js'
import { safeDecodeURIComponent, splitQueryInPath } from '../../judge/decode.js'
import { findMethodOverride } from '../../judge/method-override.js'
import { placeholderFor } from '../../judge/slip.js'
import { isPlaceholder } from '../../judge/text.js'
import { Problem } from '../problems.js'
import { withoutQuery } from '../sandbox-of.js'
import { exchangeOf, toReceivedRequest } from './pending-exchange.js'
import { readText } from './receive.js'
import { sendProblem } from './send.js'

export function createNotFoundHandler(contracts: readonly Contract[]) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { method, url } = request
    const path = withoutQuery(url)
    if (isBrowserRequest(contracts, method, path))
      return sendProblem(request, reply, new Problem('no-such-route', BROWSER_REQUEST))
    const matching = contracts.filter((contract) => matchesPath(contract.path, path))
    const nearest = findNearestRoute(matching.length > 0 ? matching : contracts, method, path)
    const exchange = exchangeOf(request)
    const body = await readText(request)
    const queryInPath = splitQueryInPath(safeDecodeURIComponent(path))?.query
    const pairs = Object.entries({ ...queryInPath, ...(request.query as object) })
    const query = Object.fromEntries(pairs.filter(([name]) => !name.startsWith('__')))
    const form = body.recoveredForm ?? parseBodyFields(body.text ?? '', String(request.raw.headers['content-type']))
    const intendedMethod = findMethodOverride({ headers: request.headers, query, form })?.method ?? method
    const problem = matching.length > 0 ? methodNotAllowed(matching, method, path) : noSuchRoute(nearest, method, path)
    // A correction must not turn a read or a deletion into a write.
    const isLikely = isNearRoute(method, nearest, path) && isNearRoute(intendedMethod, nearest, path)
    const likely = isLikely ? { params: nearest.params, likelyContract: nearest.contract } : {}
    exchange.receivedRequest = { ...toReceivedRequest(exchange, query, null, body), ...likely }
    return sendProblem(request, reply, problem)
  }
}

const BROWSER_REQUEST = 'Browsers and tools request this file automatically; this server does not have it.'

function isBrowserRequest(contracts: readonly Contract[], method: string, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const isBelow = ({ path: documented }: Contract) => path.startsWith(`/${documented.split('/')[1]}/`)
  return BROWSER_PATH.test(path) || (path.endsWith('.map') && !contracts.some(isBelow))
}

const BROWSER_PATH =
  /^\/(?:\.well-known\/.*|apple-touch-icon[\w-]*\.png|favicon\.\w+|robots\.txt|manifest\.json|site\.webmanifest|sw\.js|service-worker\.js)$/

function methodNotAllowed(contracts: readonly Contract[], method: string, path: string): Problem {
  const [methods, operations] = [contracts.map((contract) => contract.method), contracts.map(({ id }) => id)]
  const allow = methods.join(', ')
  const message = `${operations.join(', ')} (${path}) takes ${allow}, not ${method}.`
  const problem = new Problem('method-not-allowed', message, { allow: methods, operations }, { allow })
  return problem.withViolation('method', `Use ${methods.join(' or ')}.`, [(contracts[0] as Contract).cites[0]])
}

/** For an unknown path, the methods of all operations. */
export function allowedMethods(contracts: readonly Contract[], path: string): string {
  const matching = contracts.filter((contract) => matchesPath(contract.path, path))
  const methods = (matching.length > 0 ? matching : contracts).map(({ method }) => method)
  return [...new Set(methods)].sort().join(', ')
}

function noSuchRoute({ contract, isTypo }: NearestRoute, method: string, path: string): Problem {
  const route = `${contract.method} ${contract.path}`
  const queryInPath = splitQueryInPath(safeDecodeURIComponent(path))
  const queryHint = queryInPath && (queryInPath.isAfterAmpersand ? AMPERSAND_HINT : ESCAPE_HINT)
  const hint = `${WRONG_BASE_URL.test(path) ? BASE_URL_HINT : ''}${queryHint ?? ''}`
  const message = `No operation matches ${method} ${path}. The nearest is ${route} (${contract.id}).${hint}`
  const nearest = { operation: contract.id, method: contract.method, path: contract.path }
  const callNearest = `Call ${contract.method} ${fillPath(contract, placeholderFor)}.`
  const fix = method === 'CONNECT' ? NO_PROXY : isTypo ? callNearest : LIST_OPERATIONS
  return new Problem('no-such-route', message, { nearest }).withViolation('url', fix)
}

/** As in `${process.env.API_URL}/api`, or `/http://localhost:4010/api`. */
const WRONG_BASE_URL = /^\/(?:undefined|null|https?:\/\/?[^/]+|[\w.-]+:\d+|(?:\{|%7B|<|%3C|\$)[^/]*)(?=\/|api)/i
const BASE_URL_HINT = ' The base URL of the client is probably unset or doubled.'
const AMPERSAND_HINT = " Begin the query with '?', not with '&'."
const ESCAPE_HINT = " The path contains the '?' of the query as %3F: escape each value, not the whole URL."

const LIST_OPERATIONS = "Call one of the operations. 'npx countersign list operations' shows them."
const NO_PROXY = 'This server is not a proxy: set it as the base URL of your client, or add this host to NO_PROXY.'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

const READS_OR_REMOVES =
  /^(?:all|archive|cancel|check|clear|count|deactivate|decline|delete|destroy|detach|disable|exists|export|fetch|find|get|index|info|list|lookup|query|read|remove|revoke|search|show|status|unlink|view|withdraw)$/i

function isNearRoute(method: string, { contract, isTypo, hasAllValues }: NearestRoute, path: string): boolean {
  if (!isTypo || !hasAllValues) return false
  if (method === 'DELETE' || contract.method === 'DELETE') return method === contract.method
  if (isReadOnly(contract)) return true
  const words = wordsIn(path).filter((word) => !wordsIn(contract.path).includes(word))
  return !SAFE_METHODS.has(method) && !words.some((word) => READS_OR_REMOVES.test(word))
}

type NearestRoute = ReturnType<typeof findNearestRoute>

/** Another method, or another number of values, counts as this many edits. */
const PENALTY = 3
/** A path with at most this many edits in 10 letters is probably mistyped. */
const MOST_EDITS = 4

/** `isTypo`: the path is probably mistyped; `hasAllValues`: it has a value for each variable. */
function findNearestRoute(contracts: readonly Contract[], method: string, path: string) {
  const sent = partsOf(path)
  const routes = contracts.map((contract) => {
    const documented = partsOf(contract.path)
    const edits = Math.min(...documented.words.map((_, at) => editsFrom(documented.words, at, sent.words)))
    const isBeginning = sent.words.length > 0 && sent.words.every((word, at) => word === documented.words[at])
    const hasAllValues = documented.values.length === sent.values.length
    const differences = Number(contract.method !== method) + Number(!hasAllValues)
    const names = documented.values.map((variable) => variable.slice(1, -1))
    return {
      contract,
      params: Object.fromEntries(names.map((name, at) => [name, sent.values[at] ?? ''])),
      isTypo: edits * 10 <= documented.words.join('').length * MOST_EDITS,
      hasAllValues,
      distance: (isBeginning ? 0 : edits) + differences * PENALTY,
    }
  })
  return routes.reduce((best, route) => (route.distance < best.distance ? route : best))
}

/** Counts edits from this word on; skipped words count half. */
function editsFrom(documented: readonly string[], at: number, sent: readonly string[]): number {
  return documented.slice(0, at).join('').length / 2 + editDistance(documented.slice(at).join('/'), sent.join('/'))
}

const PREFIX = /^(?:api|v\d+)$/i

function partsOf(path: string): { readonly words: readonly string[]; readonly values: readonly string[] } {
  const segments = safeDecodeURIComponent(path)
    .replace(WRONG_BASE_URL, '')
    .replace(/[?#&].*/s, '')
    .split('/')
    .map((segment) => segment.replace(/;.*/s, ''))
  const parts = segments.filter((segment) => segment !== '' && !PREFIX.test(segment))
  const words = parts.filter((segment) => !isValue(segment))
  return { words: words.flatMap((word) => word.split(/[-_]/)), values: parts.filter(isValue) }
}

function isValue(segment: string): boolean {
  return /^:|[\d@]/.test(segment) || isPlaceholder(segment)
}
