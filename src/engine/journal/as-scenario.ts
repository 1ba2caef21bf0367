import { BODILESS, type Contract } from '../contract/contract.js'
import { groupBy } from '../contract/group-by.js'
import { jsonOr } from '../contract/json.js'
import { mapInBatches } from '../contract/map-in-batches.js'
import { REDACTED } from '../contract/wording.js'
import { checkRule, isReserved } from '../files/check-rule.js'
import type { FieldMatcher, Rule } from '../files/scenario.js'
import { type ExchangeEntry, entryOf } from './entry.js'
import type { Exchange } from './exchange.js'
import type { Viewer } from './redact.js'

type MatchedExchange = Exchange & { readonly contract: Contract }

/** Replays the answers in order, each once; omits problems and answers of authentication. */
export async function asScenario(exchanges: readonly Exchange[], viewer: Viewer): Promise<string> {
  const answered = exchanges.filter(isAnswered).filter(({ answer }) => answer.step !== 'authenticate')
  const complete = answered.filter((exchange) => !exchange.request.isCut && isKeptWhole(exchange)).reverse()
  const callsByOperation = groupBy(complete, ({ contract }) => contract.id)
  const names = new Map(Array.from(callsByOperation, ([id, calls]) => [id, sentNames(calls)] as const))
  const rules = await mapInBatches(complete, (exchange) => {
    const entry = entryOf(exchange, viewer, '')
    return ruleOf(exchange, entry, { ...whenOf(exchange, entry, names.get(exchange.contract.id) as Names), times: 1 })
  })
  const omitted = answered.filter((exchange) => !complete.includes(exchange)).map(({ id }) => id)
  const note = `# Omitted, because the journal did not keep them in full: ${omitted.reverse().join(', ')}.\n`
  const text = await scenarioText('Answers the same requests in the same way again.', rules)
  return omitted.length === 0 ? text : `${note}${text}`
}

export function asRule(exchange: Exchange, viewer: Viewer): Rule | undefined {
  return isAnswered(exchange) && isKeptWhole(exchange) ? ruleOf(exchange, entryOf(exchange, viewer, ''), {}) : undefined
}

function isAnswered(exchange: Exchange): exchange is MatchedExchange {
  const { contract, status, answer } = exchange
  return contract !== null && answer.problem === null && (status !== null || answer.fault !== null)
}

function isKeptWhole({ answer: { headers, text, isCut, fault } }: Exchange): boolean {
  return fault !== null || text === null || (!isCut && (!isJson(headers) || jsonOr(text, undefined) !== undefined))
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

/** The documented names in the calls of an operation. Each rule matches every name, also one that must be absent. */
function sentNames(calls: readonly MatchedExchange[]): Names {
  const parts = Object.entries(PARTS).map(([key, part]) => {
    const names = Object.keys(calls[0]?.contract[part]?.properties ?? {})
    return [key, names.filter((name) => calls.some(({ request }) => name in (request[part] ?? {})))]
  })
  return Object.fromEntries(parts)
}

function whenOf({ request: { form } }: MatchedExchange, { request }: ExchangeEntry, names: Names): Pick<Rule, 'when'> {
  const values = { path: request.params, query: request.query, ...(form !== null && { body: request.body as object }) }
  const parts = Object.entries(values).map(([part, sent]) => [part, matchersFor(sent, names[part] ?? [])] as const)
  const when = Object.fromEntries(parts.filter(([, matchers]) => Object.keys(matchers).length > 0))
  return Object.keys(when).length === 0 ? {} : { when }
}

function matchersFor(sent: object, names: readonly string[]): Record<string, FieldMatcher> {
  const values = sent as Readonly<Record<string, unknown>>
  const matchers = names.map((name) => [name, name in values ? matcherOf(values[name]) : { absent: true }] as const)
  // A redacted value cannot match.
  return Object.fromEntries(matchers.filter(([, matcher]) => !String(matcher).includes(REDACTED)))
}

function matcherOf(value: unknown): FieldMatcher {
  const [first] = [value].flat()
  if (typeof first === 'object' && first !== null) return (first as { filename: string }).filename
  return first as FieldMatcher
}

function answerOf({ status, response }: ExchangeEntry): Rule['answer'] {
  const { fault, headers = {}, body } = response ?? {}
  if (fault) return { fault }
  const needsType = !isJson(headers) && !BODILESS.has(status as number)
  const ruleHeaders = Object.entries(headers).filter(([name]) =>
    name === 'content-type' ? needsType : !isReserved(name) && !OMITTED_HEADER.test(name),
  )
  return {
    status: status as number,
    ...(ruleHeaders.length > 0 && { headers: Object.fromEntries(ruleHeaders) }),
    ...(body !== null && { body }),
  }
}

/** Headers that the mock adds, or that do not fit a kept text. */
const OMITTED_HEADER = /^(www-authenticate|content-md5|digest|etag|trailer|access-control-.*)$/

export async function scenarioText(description: string, rules: readonly Rule[]): Promise<string> {
  const { stringify } = await import('../files/yaml.js')
  const tidy = rules.map(({ on, ...rule }) => ({ on: Array.isArray(on) && on.length === 1 ? on[0] : on, ...rule }))
  const head = stringify({ version: 1, ...(description !== '' && { description }) }, { lineWidth: 0 })
  if (tidy.length === 0) return `${head}rules: []\n`
  const texts = await mapInBatches(tidy, (rule) =>
    stringify([rule], { lineWidth: 0 }).replace(/(?<=^|\n)(?=[^\n])/g, '  '),
  )
  return `${head}rules:\n${texts.join('')}`
}
