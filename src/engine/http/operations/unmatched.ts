import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Contract, isReadOnly } from '../../contract/contract.js'
import { lettersApart, wordsIn } from '../../contract/nearest.js'
import { quote } from '../../contract/wording.js'
import { parseBodyFields } from '../../judge/body-fields.js'
import { safeDecodeURIComponent, splitEscapedQuery } from '../../judge/decode.js'
import { findMethodOverride } from '../../judge/method-override.js'
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
    if (isOfBrowser(contracts, method, path))
      return sendProblem(request, reply, new Problem('no-such-route', BROWSER_REQUEST))
    const here = contracts.filter((contract) => matches(contract, path))
    const near = nearestRoute(here.length > 0 ? here : contracts, method, path)
    const exchange = exchangeOf(request)
    const body = await readText(request)
    const inPath = splitEscapedQuery(safeDecodeURIComponent(path))?.query
    const sent = Object.entries({ ...inPath, ...(request.query as object) })
    const query = Object.fromEntries(sent.filter(([name]) => !name.startsWith('__')))
    const form = body.recoveredForm ?? parseBodyFields(body.text ?? '', String(request.raw.headers['content-type']))
    const other = findMethodOverride({ headers: request.headers, query, form })
    const asked = other?.method ?? method
    const hint =
      asked === method ? '' : ` '${other?.name}' asks for ${quote(asked)}, but only the method of the request counts.`
    const problem = here.length > 0 ? methodNotAllowed(here, method, path, hint) : noSuchRoute(near, method, path, hint)
    // A read or a delete never becomes a write, whatever method it asks for.
    const isNear = isNearRoute(method, near, path) && isNearRoute(asked, near, path)
    const meant = isNear ? { params: near.params, likelyContract: near.contract } : {}
    exchange.receivedRequest = { ...toReceivedRequest(exchange, query, null, body), ...meant }
    return sendProblem(request, reply, problem)
  }
}

const BROWSER_REQUEST = 'Browsers and tools ask for this file by themselves; this server does not have it.'

/** Requests that browsers and developer tools send unasked, such as favicons, and source maps outside the API's paths. */
function isOfBrowser(contracts: readonly Contract[], method: string, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const isBelow = ({ path: documented }: Contract) => path.startsWith(`/${documented.split('/')[1]}/`)
  return OF_BROWSERS.test(path) || (path.endsWith('.map') && !contracts.some(isBelow))
}

const OF_BROWSERS =
  /^\/(?:\.well-known\/.*|apple-touch-icon[\w-]*\.png|favicon\.\w+|robots\.txt|manifest\.json|site\.webmanifest|sw\.js|service-worker\.js)$/

function methodNotAllowed(here: readonly Contract[], method: string, path: string, hint: string): Problem {
  const [methods, operations] = [here.map((contract) => contract.method), here.map(({ id }) => id)]
  const allow = methods.join(', ')
  return new Problem(
    'method-not-allowed',
    `${operations.join(', ')} (${path}) takes ${allow}, not ${method}.${hint}`,
    { allow: methods, operations },
    { allow },
  ).withViolation('method', `Use ${methods.join(' or ')}.`, [(here[0] as Contract).cites[0]])
}

/** Of all operations if the path is unknown. */
export function allowedMethods(contracts: readonly Contract[], path: string): string {
  const here = contracts.filter((contract) => matches(contract, path))
  const methods = (here.length > 0 ? here : contracts).map(({ method }) => method)
  return [...new Set(methods)].sort().join(', ')
}

function noSuchRoute({ contract, isNear }: NearRoute, method: string, path: string, override: string): Problem {
  const route = `${contract.method} ${contract.path}`
  const isEscaped = splitEscapedQuery(safeDecodeURIComponent(path)) !== undefined
  const hint = isEscaped ? " The path contains the '?' of the query as %3F: escape each value, not the whole URL." : ''
  return new Problem(
    'no-such-route',
    `No operation matches ${method} ${path}. The nearest is ${route} (${contract.id}).${hint}${override}`,
    { nearest: { operation: contract.id, method: contract.method, path: contract.path } },
  ).withViolation('url', method === 'CONNECT' ? NO_PROXY : isNear ? `Call ${route}.` : CALL_ONE)
}

const CALL_ONE = "Call one of the operations. 'npx countersign list operations' shows them."
const NO_PROXY = 'This server is not a proxy: set it as the base URL of your client, or add this host to NO_PROXY.'

/** RFC 9110, section 9.2.1. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

const READS_OR_REMOVES =
  /^(?:all|archive|cancel|check|clear|count|deactivate|decline|delete|destroy|detach|disable|exists|export|fetch|find|get|index|info|list|lookup|query|read|remove|revoke|search|show|status|unlink|view|withdraw)$/i

function isNearRoute(method: string, { contract, isNear, isWhole }: NearRoute, path: string): boolean {
  if (!isNear || !isWhole) return false
  if (method === 'DELETE' || contract.method === 'DELETE') return method === contract.method
  if (isReadOnly(contract)) return true
  const words = wordsIn(path).filter((word) => !wordsIn(contract.path).includes(word))
  return !SAFE.has(method) && !words.some((word) => READS_OR_REMOVES.test(word))
}

function matches({ path }: Contract, given: string): boolean {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(given)
}

type NearRoute = ReturnType<typeof nearestRoute>

/** Letters, for another method or another number of values. */
const PENALTY = 3
/** Of 10 letters. */
const NEAR_LETTERS = 4

/** `isNear`: probably mistyped; `isWhole`: all variables have values. */
function nearestRoute(contracts: readonly Contract[], method: string, path: string) {
  const sent = partsOf(path)
  const routes = contracts.map((contract) => {
    const documented = partsOf(contract.path)
    const letters = Math.min(...documented.words.map((_, at) => lettersFrom(documented.words, at, sent.words)))
    const isBeginning = sent.words.length > 0 && sent.words.every((word, at) => word === documented.words[at])
    const rest = documented.words.slice(sent.words.length).join('')
    const isWhole = documented.values.length === sent.values.length
    const differences = Number(contract.method !== method) + Number(!isWhole)
    const names = documented.values.map((variable) => variable.slice(1, -1))
    return {
      contract,
      params: Object.fromEntries(names.map((name, at) => [name, sent.values[at] ?? ''])),
      isNear: letters * 10 <= documented.words.join('').length * NEAR_LETTERS,
      isWhole,
      distance: (isBeginning ? rest.length / 2 : letters) + differences * PENALTY,
    }
  })
  return routes.reduce((best, one) => (one.distance < best.distance ? one : best))
}

/** Counts differing letters from this word on; skipped words count half. */
function lettersFrom(documented: readonly string[], at: number, sent: readonly string[]): number {
  return documented.slice(0, at).join('').length / 2 + lettersApart(documented.slice(at).join('/'), sent.join('/'))
}

const PREFIX = /^(?:api|v\d+)$/i

function partsOf(path: string): { readonly words: readonly string[]; readonly values: readonly string[] } {
  const segments = path.split('/').map((segment) => safeDecodeURIComponent(segment).replace(/[;?#].*/s, ''))
  const known = segments.filter((segment) => segment !== '' && !PREFIX.test(segment))
  const words = known.filter((segment) => !isValue(segment))
  return { words: words.flatMap((word) => word.split(/[-_]/)), values: known.filter(isValue) }
}

function isValue(segment: string): boolean {
  return /^:|[\d@]/.test(segment) || isPlaceholder(segment)
}
