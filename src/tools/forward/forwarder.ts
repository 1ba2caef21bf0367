import { BODILESS, isGatewayStatus } from '../../engine/contract/contract.js'
import { checkToken } from '../../engine/http/operations/authenticate.js'
import type { Call, Decide } from '../../engine/http/operations/call.js'
import { allViolations, collectViolations } from '../../engine/http/operations/collect-violations.js'
import { withFormMistake } from '../../engine/http/operations/operate.js'
import { Problem, problemAnswer } from '../../engine/http/problems.js'
import { withoutTrailingSlashes } from '../../engine/http/slashes.js'
import { type Answer, type ForwardedAnswer, NO_EFFECTS } from '../../engine/journal/exchange.js'
import { checkAnswer } from '../../engine/judge/deviations.js'
import { markRefused, type Violation } from '../../engine/judge/violation.js'
import type { ProviderAnswer, ProviderClient } from '../http/client.js'
import { NoAnswer } from '../http/failures.js'
import { createClientAnswerHead, createProviderRequestHead } from './heads.js'

interface Forwarding {
  readonly provider: string
  readonly client: ProviderClient
  readonly fallback: boolean
  readonly providerToken?: string | undefined
  /** This server's name in `Via` (RFC 9110, section 7.6.3). */
  readonly pseudonym: string
  readonly body: Buffer | null
  readonly answerNaturally: Decide
}

/** @throws {Problem} for a loop, and without an answer, unless the mock may answer instead */
export async function askProvider(call: Call, forwarding: Forwarding): Promise<Answer> {
  const { provider, client, fallback, pseudonym, body, answerNaturally } = forwarding
  // This server has forwarded the call already.
  if (call.fastify.request.headers.via?.includes(pseudonym)) throw new Problem(LOOP, LOOP_MESSAGE, { provider })
  const { origin, pathname } = new URL(provider)
  const url = `${origin}${withoutTrailingSlashes(pathname)}`
  const clientClosed = new AbortController()
  call.fastify.reply.raw.once('close', () => clientClosed.abort())
  const head = createProviderRequestHead(call, url, forwarding)
  // The journal gets this answer if the client leaves before the provider answers.
  call.exchange.outgoing = { answer: problemAnswer(new Problem(UNREACHABLE, '', { provider: url }), []), headers: {} }
  const answer = await client.send(url, { ...head, body, cancelled: clientClosed.signal })
  if (!(answer instanceof NoAnswer)) return forwardedAnswer(call, url, answer)
  if (!fallback || answer.mayHaveArrived) throw problemOf(answer, url)
  // Clients send the provider's tokens, which this server does not know.
  return fallbackAnswer(await answerNaturally({ ...call, auth: 'any' }), answer.message)
}

function fallbackAnswer(answer: Answer, why: string): Answer {
  const fallback = { ...answer, cause: 'fallback', why }
  if (fallback.kind !== 'service') return fallback
  return { ...fallback, kind: 'scripted', headers: { 'x-mock-cause': 'fallback' }, deviations: [], offContract: false }
}

const problemKind = (code: string, status: number, title: string) => ({ code, status, title, cause: 'provider' })

const LOOP = problemKind('provider-loop', 508, 'The provider is this server')
const LOOP_MESSAGE =
  'The request came back to this server: --provider leads to countersign itself. Set it to the URL of the real service.'
const UNREACHABLE = problemKind('provider-unreachable', 502, 'The provider gave no usable answer')
const TIMED_OUT = problemKind('provider-timeout', 504, 'The provider did not answer in time')

function problemOf({ message, mayHaveArrived, hasTimedOut }: NoAnswer, provider: string): Problem {
  const hint = mayHaveArrived ? '' : ' With --fallback, the mock answers instead.'
  return new Problem(hasTimedOut ? TIMED_OUT : UNREACHABLE, `${message}${hint}`, { provider })
}

async function forwardedAnswer(call: Call, url: string, answer: ProviderAnswer): Promise<ForwardedAnswer> {
  const { contract, request } = call
  const { status, headers, bytes, text, unread: whyUnread } = answer
  const whyUnchecked = isGatewayStatus(contract, status)
    ? `${status} is a gateway status, so the answer was not compared with the contract.`
    : whyUnread === undefined
      ? null
      : `The answer was not compared with the contract: ${whyUnread}.`
  return {
    kind: 'forwarded',
    status,
    headers: createClientAnswerHead(headers),
    bytes,
    text: bytes.byteLength === 0 ? null : text,
    step: 'forward',
    cause: 'provider',
    why: whyUnchecked === null ? `Answered by ${url}.` : `Answered by ${url}. ${whyUnchecked}`,
    violations: markRefused(status, await violationsOf(call)),
    deviations: checkAnswer(contract, {
      status,
      contentType: String(headers['content-type'] ?? ''),
      text: whyUnread === undefined && !BODILESS.has(status) ? text : undefined,
      query: request.query,
    }),
    whyUnchecked,
    ...NO_EFFECTS,
  }
}

/** Does not check users and records, because the provider has its own. */
async function violationsOf(call: Call): Promise<readonly Violation[]> {
  const collected = await collectViolations(call, checkToken(call))
  const violations = allViolations(collected)
  return collected.schemaViolations.length > 0 ? violations : withFormMistake(call, violations)
}
