import { USER_TYPE, USER_TYPE_NAME } from '../../../schemas/common.js'
import { needsUserType } from '../../../schemas/contract.js'
import { BODILESS } from '../../../schemas/scenario.js'
import { identifyCaller, tokenViolations } from '../../mock/http/api/authenticate.js'
import type { Answer, Call } from '../../mock/http/api/call.js'
import { collectViolations } from '../../mock/http/api/collect-violations.js'
import { withMistake } from '../../mock/http/api/operate.js'
import { Problem } from '../../mock/http/problems.js'
import { checkContent } from '../../mock/operations/content-checks.js'
import { checkAnswer } from '../../mock/validation/deviations.js'
import type { Violation } from '../../mock/validation/violation.js'
import { type ProviderAnswer, ProviderClient } from '../http-client.js'
import { type Timeouts, Unanswered } from '../http-failures.js'
import { createClientAnswerHead, createProviderRequestHead } from './heads.js'

/**
 * Milliseconds. Connections take one second at most, some more after a lost packet. Gateways and clients give up on an
 * answer after 30 s or more.
 */
const TIMEOUTS: Timeouts = { connect: 5_000, idle: 30_000 }

export function createProviderClient(timeouts: Timeouts = TIMEOUTS): ProviderClient {
  return new ProviderClient(timeouts)
}

/**
 * The provider's answer, or with `--fallback` the reason why it did not get the request.
 * @throws {Problem} without either
 */
export async function askProvider(call: Call, client: ProviderClient): Promise<Answer | string> {
  const { sandbox, reply, bytes: body } = call
  const { provider = '', fallback } = sandbox.settings
  const { origin, pathname } = new URL(provider)
  const url = `${origin}${pathname.replace(/\/+$/, '')}`
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  try {
    const given = await client.ask(url, { ...createProviderRequestHead(call, url), body, signal: gone.signal })
    return await answerOf(call, url, given)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    if (fallback && !error.taken) return error.message
    throw problemOf(error, url)
  }
}

function problemOf({ message, taken, timedOut }: Unanswered, provider: string): Problem {
  const hint = taken ? '' : ' With --fallback the mock answers in the meantime.'
  return new Problem(timedOut ? 'provider-timeout' : 'provider-unreachable', `${message}${hint}`, { provider })
}

async function answerOf(call: Call, url: string, given: ProviderAnswer): Promise<Answer> {
  const { contract, query } = call
  const { status, headers, bytes, text, unread } = given
  const why = unread === undefined ? '' : ` The answer was not compared with the contract: ${unread}.`
  const violations = await violationsOf(call)
  return {
    status,
    body: BODILESS.has(status) ? undefined : bytes,
    provider: { headers: createClientAnswerHead(headers), text: bytes.byteLength === 0 ? null : text },
    step: 'forward',
    cause: 'provider',
    why: `answered by ${url}.${why}`,
    violations,
    reasons: status < 400 ? [] : violations,
    deviations: checkAnswer(contract, {
      status,
      contentType: String(headers['content-type'] ?? ''),
      text: unread === undefined && !BODILESS.has(status) ? text : undefined,
      lacksUserType: needsUserType(contract) && query[USER_TYPE_NAME] !== USER_TYPE,
    }),
  }
}

/** Violations that depend on no user or record: the provider has its own. */
async function violationsOf(call: Call): Promise<readonly Violation[]> {
  const { refused, all } = collectViolations(call, tokenViolations(call, identifyCaller(call)))
  if (refused.length > 0) return all
  const invalid = await checkContent(call.contract, call.form)
  return invalid === undefined ? all : withMistake(invalid, all)
}
