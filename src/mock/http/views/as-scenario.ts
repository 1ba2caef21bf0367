import type { Contract } from '../../../../schemas/contract.js'
import { BODILESS, type Matcher, type Rule } from '../../../../schemas/scenario.js'
import type { Exchange } from '../../sandbox/journal/exchange.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { checkRule, isReserved } from '../../sandbox/scenarios/check-rule.js'
import { scenarioText } from '../../sandbox/scenarios/scenario.js'
import { jsonOr } from '../../text/json.js'
import { REDACTED } from '../../text/redacted.js'
import { entryOf } from './entry.js'

type Answered = Exchange & { readonly contract: Contract }

/**
 * A scenario that gives the same answers to the same requests, oldest first, each once. Answers of authentication are
 * left out, since their rules could answer other calls, and problems.
 */
export async function asScenario(exchanges: readonly Exchange[], sandbox: Sandbox): Promise<string> {
  const answered = exchanges.filter(isAnswered).filter(({ answer }) => answer.step !== 'authenticate')
  const whole = answered.filter((one) => !one.request.isCut && isKeptWhole(one)).reverse()
  const rules = whole.map((one) => ruleOf(one, sandbox, { ...whenOf(one, sandbox, whole), times: 1 }))
  const cut = answered.filter((one) => !whole.includes(one)).map(({ id }) => id)
  const note =
    cut.length === 0 ? '' : `# Left out, because the journal did not keep all of them: ${cut.reverse().join(', ')}.\n`
  return `${note}${await scenarioText('Answers the same requests in the same way again.', rules)}`
}

/** A rule that gives the answer of an exchange to all calls of its operation; undefined if it has none, or was not kept. */
export function asRule(exchange: Exchange, sandbox: Sandbox): Rule | undefined {
  return isAnswered(exchange) && isKeptWhole(exchange) ? ruleOf(exchange, sandbox, {}) : undefined
}

function isAnswered(exchange: Exchange): exchange is Answered {
  const { contract, status, answer } = exchange
  return contract !== null && answer.problem === undefined && (status !== null || answer.fault !== undefined)
}

function isKeptWhole({ answer: { headers = {}, body, fault } }: Exchange): boolean {
  return fault !== undefined || body === null || !isJson(headers) || jsonOr(body as string, undefined) !== undefined
}

function isJson({ 'content-type': type = '' }: Readonly<Record<string, string | string[]>>): boolean {
  return String(type).startsWith('application/json')
}

function ruleOf(exchange: Answered, sandbox: Sandbox, conditions: Pick<Rule, 'when' | 'times'>): Rule {
  const { contract } = exchange
  const rule = { on: contract.id as Rule['on'], ...conditions, answer: answerOf(exchange, sandbox) }
  return checkRule(rule, [contract]).length === 0 ? rule : { ...rule, offContract: true }
}

function whenOf(exchange: Answered, sandbox: Sandbox, all: readonly Answered[]): Pick<Rule, 'when'> {
  const { query, params: path, body } = entryOf(exchange, sandbox, '').request
  const { form } = exchange.request
  const sent = { path, query, body: form === null ? {} : (body as object) }
  const others = all.filter(({ contract }) => contract === exchange.contract).map(({ request }) => request)
  const names = {
    path: others.flatMap(({ params }) => Object.keys(params)),
    query: others.flatMap((one) => Object.keys(one.query)),
    body: form === null ? [] : others.flatMap((one) => Object.keys(one.form ?? {})),
  }
  const parts = (['path', 'query', 'body'] as const).map((part) => [part, matchers(sent[part], names[part])] as const)
  const when = Object.fromEntries(parts.filter(([, part]) => Object.keys(part).length > 0))
  return Object.keys(when).length === 0 ? {} : { when }
}

function matchers(sent: object, names: readonly string[]): Record<string, Matcher> {
  const values = sent as Readonly<Record<string, unknown>>
  const all = names.map((name) => [name, name in values ? matcherOf(values[name]) : { absent: true }] as const)
  // A redacted value matches nothing.
  return Object.fromEntries(all.filter(([, matcher]) => !String(matcher).includes(REDACTED)))
}

function matcherOf(value: unknown): Matcher {
  const [first] = [value].flat()
  if (typeof first === 'object' && first !== null) return (first as { filename: string }).filename
  return first as Matcher
}

function answerOf(exchange: Answered, sandbox: Sandbox): Rule['answer'] {
  const { status, response } = entryOf(exchange, sandbox, '')
  const { fault, headers = {}, body } = response ?? {}
  if (fault) return { fault }
  const isUntyped = isJson(headers) || BODILESS.has(status as number)
  const own = Object.entries(headers).filter(([name]) =>
    name === 'content-type' ? !isUntyped : !isReserved(name) && !ADDED.test(name),
  )
  return {
    status: status as number,
    ...(own.length > 0 && { headers: Object.fromEntries(own) }),
    ...(body !== null && { body }),
  }
}

/** Headers that the mock adds to answers, and those that do not hold for a body that is kept as text. */
const ADDED = /^(www-authenticate|content-encoding|content-md5|digest|etag|trailer|access-control-.*)$/
