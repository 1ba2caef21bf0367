import { BODILESS, type Contract } from '../contract/contract.js'
import { groupBy } from '../contract/group-by.js'
import { jsonOr } from '../contract/json.js'
import { mapInBatches } from '../contract/map-in-batches.js'
import { REDACTED } from '../contract/wording.js'
import { checkRule, isReserved } from '../files/check-rule.js'
import type { Matcher, Rule } from '../files/scenario.js'
import { scenarioText } from '../files/scenario-text.js'
import { type ExchangeEntry, entryOf } from './entry.js'
import type { Exchange } from './exchange.js'
import type { Viewer } from './redact.js'

type MatchedExchange = Exchange & { readonly contract: Contract }

/** Replays the answers in order, each once; omits problems and answers of authentication. */
export async function asScenario(exchanges: readonly Exchange[], viewer: Viewer): Promise<string> {
  const answered = exchanges.filter(isAnswered).filter(({ answer }) => answer.step !== 'authenticate')
  const whole = answered.filter((one) => !one.request.isCut && isKeptWhole(one)).reverse()
  const sent = groupBy(whole, ({ contract }) => contract.id)
  const names = new Map(Array.from(sent, ([id, all]) => [id, documentedNames(all)] as const))
  const rules = await mapInBatches(whole, (one) => {
    const entry = entryOf(one, viewer, '')
    return ruleOf(one, entry, { ...whenOf(one, entry, names.get(one.contract.id) as Names), times: 1 })
  })
  const cut = answered.filter((one) => !whole.includes(one)).map(({ id }) => id)
  const note =
    cut.length === 0 ? '' : `# Left out, because the journal did not keep all of them: ${cut.reverse().join(', ')}.\n`
  return `${note}${await scenarioText('Answers the same requests in the same way again.', rules)}`
}

export function asRule(exchange: Exchange, viewer: Viewer): Rule | undefined {
  return isAnswered(exchange) && isKeptWhole(exchange) ? ruleOf(exchange, entryOf(exchange, viewer, ''), {}) : undefined
}

function isAnswered(exchange: Exchange): exchange is MatchedExchange {
  const { contract, status, answer } = exchange
  return contract !== null && answer.problem === null && (status !== null || answer.fault !== null)
}

function isKeptWhole({ answer: { headers, text, fault } }: Exchange): boolean {
  return fault !== null || text === null || !isJson(headers) || jsonOr(text, undefined) !== undefined
}

function isJson({ 'content-type': type = '' }: Readonly<Record<string, string | string[]>>): boolean {
  return String(type).startsWith('application/json')
}

function ruleOf({ contract }: MatchedExchange, entry: ExchangeEntry, conditions: Pick<Rule, 'when' | 'times'>): Rule {
  const rule = { on: contract.id, ...conditions, answer: answerOf(entry) }
  return checkRule(rule, [contract]).length === 0 ? rule : { ...rule, offContract: true }
}

const PARTS = { path: 'params', query: 'query', body: 'form' } as const
type Names = Readonly<Record<string, readonly string[]>>

/** Documented names of an operation's calls; a rule requires that missing ones are absent, and names no others. */
function documentedNames(calls: readonly MatchedExchange[]): Names {
  const parts = Object.entries(PARTS).map(([word, part]) => {
    const names = Object.keys(calls[0]?.contract[part]?.properties ?? {})
    return [word, names.filter((name) => calls.some(({ request }) => name in (request[part] ?? {})))]
  })
  return Object.fromEntries(parts)
}

function whenOf({ request: { form } }: MatchedExchange, { request }: ExchangeEntry, names: Names): Pick<Rule, 'when'> {
  const sent = { path: request.params, query: request.query, ...(form !== null && { body: request.body as object }) }
  const parts = Object.entries(sent).map(([part, values]) => {
    return [part, matchers(values, names[part] ?? [])] as const
  })
  const when = Object.fromEntries(parts.filter(([, part]) => Object.keys(part).length > 0))
  return Object.keys(when).length === 0 ? {} : { when }
}

function matchers(sent: object, names: readonly string[]): Record<string, Matcher> {
  const values = sent as Readonly<Record<string, unknown>>
  const all = names.map((name) => [name, name in values ? matcherOf(values[name]) : { absent: true }] as const)
  // A redacted value cannot match.
  return Object.fromEntries(all.filter(([, matcher]) => !String(matcher).includes(REDACTED)))
}

function matcherOf(value: unknown): Matcher {
  const [first] = [value].flat()
  if (typeof first === 'object' && first !== null) return (first as { filename: string }).filename
  return first as Matcher
}

function answerOf({ status, response }: ExchangeEntry): Rule['answer'] {
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

/** Headers that the mock adds, or that do not fit a kept text. */
const ADDED = /^(www-authenticate|content-encoding|content-md5|digest|etag|trailer|access-control-.*)$/
