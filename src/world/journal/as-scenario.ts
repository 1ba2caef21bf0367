import type { TObject } from '@sinclair/typebox'
import type { Contract } from '../../../schemas/contract.js'
import { BODILESS, type Matcher, type Rule } from '../../../schemas/scenario.js'
import { jsonOr } from '../../text/json.js'
import { REDACTED } from '../../text/redacted.js'
import { checkRule, isReserved } from '../scenarios/check-rule.js'
import { scenarioText } from '../scenarios/scenario-file.js'
import { type ExchangeEntry, entryOf } from './entry.js'
import type { Exchange, Sent } from './exchange.js'

/** An exchange of an operation. */
type Called = Exchange & { readonly contract: Contract }

/**
 * A scenario that answers the same requests in the same way, oldest first, each once. What authentication answered is
 * left out, since it does so before any rule; so is what only the mock said, and what nobody was answered.
 */
export async function asScenario(exchanges: readonly Exchange[]): Promise<string> {
  const called = exchanges.filter(isAnswered).reverse()
  const whole = new Set(called.filter(isWhole))
  const rules = Array.from(whole, (exchange) => ruleOf(exchange, namesSent([...whole], exchange.contract)))
  const cut = called.filter((exchange) => !whole.has(exchange)).map(({ id }) => id)
  const note = cut.length === 0 ? '' : `# Left out, because the journal did not keep all of them: ${cut.join(', ')}.\n`
  return `${note}${await scenarioText('Answers the same requests in the same way again.', rules)}`
}

/**
 * A rule by which every call of an exchange's operation gets the same answer; undefined where there is no operation, only
 * the mock answered, or the journal has not kept all of the answer.
 */
export function asRule(exchange: Exchange): Rule | undefined {
  const { contract, problem, status, sent } = exchange
  if (contract === null || sent === null || problem || (status === null && sent.fault === undefined)) return undefined
  if (!keptWhole(sent)) return undefined
  return checkedRule(contract, { on: contract.id as Rule['on'], answer: answerOf(entryOf(exchange)) })
}

function isAnswered(exchange: Exchange): exchange is Called {
  const { contract, problem, status, sent, step } = exchange
  if (contract === null || sent === null || problem || step === 'authenticate') return false
  return status !== null || sent.fault !== undefined
}

/** Whether the journal has cut neither the request nor the answer's body. */
function isWhole({ sent, cut }: Called): boolean {
  return !cut && keptWhole(sent as Sent)
}

function keptWhole({ headers, body }: Sent): boolean {
  return body === null || !isJson(headers) || jsonOr(body, undefined) !== undefined
}

function isJson({ 'content-type': type = '' }: Sent['headers']): boolean {
  return type.startsWith('application/json')
}

function ruleOf(exchange: Called, names: Names): Rule {
  const { contract } = exchange
  const entry = entryOf(exchange)
  const on = contract.id as Rule['on']
  return checkedRule(contract, { on, ...whenOf(contract, entry, names), times: 1, answer: answerOf(entry) })
}

/** What departs from the contract says so. */
function checkedRule(contract: Contract, rule: Rule): Rule {
  return checkRule(rule, { contracts: [contract] }).length === 0 ? rule : { ...rule, offContract: true }
}

/** The names that some request of an operation has sent, in either part. */
type Names = { readonly [Part in 'query' | 'body']: ReadonlySet<string> }

function namesSent(exchanges: readonly Called[], { id }: Contract): Names {
  const own = exchanges.filter(({ contract }) => contract.id === id)
  return {
    query: new Set(own.flatMap(({ query }) => Object.keys(query))),
    body: new Set(own.flatMap(({ form }) => Object.keys(form ?? {}))),
  }
}

/** What the request had, and had not though another one of the operation had it. */
function whenOf(contract: Contract, { request }: ExchangeEntry, names: Names): Pick<Rule, 'when'> {
  const { params, query, body } = request
  const when = {
    ...part('path', matchers(params, Object.keys((contract.params as TObject).properties))),
    ...part('query', matchers(query, names.query)),
    ...part('body', typeof body === 'string' || body === null ? {} : matchers(body, names.body)),
  }
  return Object.keys(when).length === 0 ? {} : { when }
}

function part(name: string, matchers: Readonly<Record<string, Matcher>>): object {
  return Object.keys(matchers).length === 0 ? {} : { [name]: matchers }
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

function answerOf({ status, response }: ExchangeEntry): Rule['answer'] {
  const { fault, headers = {}, body } = response ?? {}
  if (fault) return { fault }
  const { 'content-type': type = '', ...others } = headers
  const own = Object.entries(others).filter(([name]) => !isReserved(name) && !ADDED.test(name))
  const untyped = isJson(headers) || BODILESS.has(status as number)
  const all = untyped ? own : [['content-type', type] as const, ...own]
  return {
    status: status as number,
    ...(all.length > 0 && { headers: Object.fromEntries(all) }),
    ...(body !== null && { body }),
  }
}

/** What the mock adds to answers by itself, and what is no longer true of a body that is kept as text. */
const ADDED = /^(www-authenticate|content-encoding|content-md5|digest|etag|trailer|access-control-.*)$/
