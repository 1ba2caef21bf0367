import type { Contract } from '../../../schemas/contract.js'
import { BODILESS, type Matcher, type Rule } from '../../../schemas/scenario.js'
import { jsonOr } from '../../text/json.js'
import { REDACTED } from '../../text/redacted.js'
import { checkRule, isReserved } from '../scenarios/check-rule.js'
import { scenarioText } from '../scenarios/scenario.js'
import { entryOf } from './entry.js'
import type { Exchange, Sent } from './exchange.js'

type Answered = Exchange & { readonly contract: Contract; readonly sent: Sent }

/**
 * A scenario that answers the same requests in the same way, oldest first, each once. What authentication answered is
 * left out, since its rule could answer another call; so is what only the mock said, and what nobody was answered.
 */
export async function asScenario(exchanges: readonly Exchange[]): Promise<string> {
  const answered = exchanges
    .filter(isAnswered)
    .filter(({ step }) => step !== 'authenticate')
    .reverse()
  const whole = answered.filter((one) => !one.cut && isKeptWhole(one.sent))
  const rules = whole.map((one) => ruleOf(one, { ...whenOf(one, whole), times: 1 }))
  const cut = answered.filter((one) => !whole.includes(one)).map(({ id }) => id)
  const note = cut.length === 0 ? '' : `# Left out, because the journal did not keep all of them: ${cut.join(', ')}.\n`
  return `${note}${await scenarioText('Answers the same requests in the same way again.', rules)}`
}

/**
 * A rule by which every call of an exchange's operation gets the same answer; undefined where there is no operation, only
 * the mock answered, or the journal has not kept all of the answer.
 */
export function asRule(exchange: Exchange): Rule | undefined {
  return isAnswered(exchange) && isKeptWhole(exchange.sent) ? ruleOf(exchange, {}) : undefined
}

function isAnswered(exchange: Exchange): exchange is Answered {
  const { contract, problem, status, sent } = exchange
  return contract !== null && sent !== null && !problem && (status !== null || sent.fault !== undefined)
}

function isKeptWhole({ headers, body }: Sent): boolean {
  return body === null || !isJson(headers) || jsonOr(body, undefined) !== undefined
}

function isJson({ 'content-type': type = '' }: Sent['headers']): boolean {
  return type.startsWith('application/json')
}

/** What departs from the contract says so. */
function ruleOf(exchange: Answered, conditions: Pick<Rule, 'when' | 'times'>): Rule {
  const { contract } = exchange
  const rule = { on: contract.id as Rule['on'], ...conditions, answer: answerOf(exchange) }
  return checkRule(rule, [contract]).length === 0 ? rule : { ...rule, offContract: true }
}

function whenOf(exchange: Answered, all: readonly Answered[]): Pick<Rule, 'when'> {
  const { request } = entryOf(exchange)
  const alike = all.filter(({ contract }) => contract === exchange.contract)
  const namesIn = (part: (one: Exchange) => object) => new Set(alike.flatMap((one) => Object.keys(part(one))))
  const parts = {
    path: matchers(
      request.params,
      namesIn(({ params }) => params),
    ),
    query: matchers(
      request.query,
      namesIn(({ query }) => query),
    ),
    body:
      exchange.form &&
      matchers(
        request.body as object,
        namesIn(({ form }) => form ?? {}),
      ),
  }
  const when = Object.entries(parts).filter(([, part]) => part !== null && Object.keys(part).length > 0)
  return when.length === 0 ? {} : { when: Object.fromEntries(when) }
}

function matchers(sent: object, names: Iterable<string>): Record<string, Matcher> {
  const values = sent as Readonly<Record<string, unknown>>
  const all = Array.from(names, (name) => [name, name in values ? matcherOf(values[name]) : { absent: true }] as const)
  // What the journal does not show cannot be asked for.
  return Object.fromEntries(all.filter(([, matcher]) => !String(matcher).includes(REDACTED)))
}

/** A file by its name; of a name that was sent twice, the first value. */
function matcherOf(value: unknown): Matcher {
  const [first] = [value].flat()
  if (typeof first === 'object' && first !== null) return (first as { filename: string }).filename
  return first as Matcher
}

function answerOf(exchange: Answered): Rule['answer'] {
  const { status, response } = entryOf(exchange)
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

/** What the mock adds to answers by itself, and what is no longer true of a body that is kept as text. */
const ADDED = /^(www-authenticate|content-encoding|content-md5|digest|etag|trailer|access-control-.*)$/
