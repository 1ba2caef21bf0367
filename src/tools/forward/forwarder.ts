import { BODILESS, isGatewayStatus } from '../../engine/contract/contract.js'
import { checkToken } from '../../engine/http/operations/authenticate.js'
import type { Call, Decide } from '../../engine/http/operations/call.js'
import { allViolations, collectViolations } from '../../engine/http/operations/collect-violations.js'
import { withFormMistake } from '../../engine/http/operations/operate.js'
import { Problem, type ProblemKind } from '../../engine/http/problems.js'
import { withoutEndingSlashes } from '../../engine/http/slashes.js'
import { type Answer, type ForwardedAnswer, NO_EFFECTS } from '../../engine/journal/exchange.js'
import { checkAnswer } from '../../engine/judge/deviations.js'
import { markRefused, type Violation } from '../../engine/judge/violation.js'
import { type ProviderAnswer, ProviderClient } from '../http/client.js'
import { type Timeouts, Unanswered } from '../http/failures.js'
import { createClientAnswerHead, createProviderRequestHead } from './heads.js'

/** Milliseconds. Lost packets take over a second; gateways give up after 30 s. */
const TIMEOUTS: Timeouts = { connect: 5_000, idle: 30_000 }

export function createProviderClient(mostBytes: number, timeouts: Timeouts = TIMEOUTS): ProviderClient {
  return new ProviderClient(timeouts, mostBytes)
}

interface Forwarding {
  readonly provider: string
  readonly client: ProviderClient
  readonly fallback: boolean
  readonly providerToken?: string | undefined
  /** For `Via`. */
  readonly pseudonym: string
  readonly body: Buffer | null
  readonly answerNaturally: Decide
}

/** @throws {Problem} without an answer */
export async function askProvider(call: Call, forwarding: Forwarding): Promise<Answer> {
  const { provider, client, fallback, pseudonym, body, answerNaturally } = forwarding
  // This server has forwarded the call already.
  if (call.fastify.request.headers.via?.includes(pseudonym)) throw new Problem(LOOP, LOOPS, { provider })
  const { origin, pathname } = new URL(provider)
  const url = `${origin}${withoutEndingSlashes(pathname)}`
  const gone = new AbortController()
  call.fastify.reply.raw.once('close', () => gone.abort())
  const head = createProviderRequestHead(call, url, forwarding)
  const given = await client.ask(url, { ...head, body, signal: gone.signal })
  if (!(given instanceof Unanswered)) return answerOf(call, url, given)
  if (!fallback || given.taken) throw problemOf(given, url)
  // The provider may know any token.
  return fallbackAnswer(await answerNaturally({ ...call, auth: 'any' }), given.message)
}

function fallbackAnswer(own: Answer, why: string): Answer {
  const fallback = { ...own, cause: 'fallback', why }
  if (fallback.kind !== 'service') return fallback
  return { ...fallback, kind: 'scripted', headers: { 'x-mock-cause': 'fallback' }, deviations: [], offContract: false }
}

const LOOP: ProblemKind = {
  code: 'provider-loop',
  status: 508,
  title: 'The provider is this server',
  cause: 'provider',
}
const LOOPS =
  'The call has come back to this server, which would forward it without an end: let --provider name the real service.'

const UNREACHABLE: ProblemKind = {
  code: 'provider-unreachable',
  status: 502,
  title: 'The provider cannot be reached',
  cause: 'provider',
}
const TIMED_OUT: ProblemKind = {
  code: 'provider-timeout',
  status: 504,
  title: 'The provider did not answer in time',
  cause: 'provider',
}

function problemOf({ message, taken, timedOut }: Unanswered, provider: string): Problem {
  const hint = taken ? '' : ' With --fallback the mock answers in the meantime.'
  return new Problem(timedOut ? TIMED_OUT : UNREACHABLE, `${message}${hint}`, { provider })
}

async function answerOf(call: Call, url: string, given: ProviderAnswer): Promise<ForwardedAnswer> {
  const { contract, request } = call
  const { status, headers, bytes, text, unread } = given
  const uncompared = isGatewayStatus(contract, status)
    ? `A gateway answered with ${status}.`
    : unread === undefined
      ? null
      : `The answer was not compared with the contract: ${unread}.`
  return {
    kind: 'forwarded',
    status,
    headers: createClientAnswerHead(headers),
    bytes,
    text: bytes.byteLength === 0 ? null : text,
    step: 'forward',
    cause: 'provider',
    why: [`answered by ${url}.`, uncompared ?? []].flat().join(' '),
    violations: markRefused(status, await violationsOf(call)),
    deviations: checkAnswer(contract, {
      status,
      contentType: String(headers['content-type'] ?? ''),
      text: unread === undefined && !BODILESS.has(status) ? text : undefined,
      query: request.query,
    }),
    uncompared,
    ...NO_EFFECTS,
  }
}

/** The provider has other users and records. */
async function violationsOf(call: Call): Promise<readonly Violation[]> {
  const found = await collectViolations(call, checkToken(call))
  const all = allViolations(found)
  return found.schemaViolations.length > 0 ? all : withFormMistake(call, all)
}
