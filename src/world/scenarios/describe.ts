import type { Delay, Matcher } from '../../../schemas/scenario.js'
import type { ReadyRule } from './scenario.js'

export function describeRule(rule: ReadyRule): string {
  return [`${who(rule)}${conditions(rule)}${odds(rule)}:`, `${what(rule)}.`, ...afterwards(rule)].join(' ')
}

function who({ on, times }: ReadyRule): string {
  const calls = on === '*' ? 'any operation' : on.join(' or ')
  if (times === undefined) return `Calls of ${calls}`
  return times === 1 ? `The first call of ${calls}` : `The first ${times} calls of ${calls}`
}

function conditions({ when = {} }: ReadyRule): string {
  const { state, token, ...parts } = when
  const fields = Object.entries(parts).flatMap(([part, matchers]) =>
    Object.entries(matchers as Record<string, Matcher>).map(([name, matcher]) => `${part} ${name} ${wanted(matcher)}`),
  )
  const all = [
    ...(state === undefined ? [] : [`the scenario is in the state '${state}'`]),
    ...(token === undefined ? [] : [`the token ${wanted(token)}`]),
    ...fields,
  ]
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`
}

const VERBS: Readonly<Record<string, string>> = {
  equals: 'is',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  matches: 'matches',
}

function wanted(matcher: Matcher): string {
  if (typeof matcher !== 'object') return `is '${matcher}'`
  return Object.entries(matcher)
    .map(([name, value]) => (name === 'absent' ? (value ? 'is absent' : 'is present') : `${VERBS[name]} '${value}'`))
    .join(' and ')
}

function odds({ chance }: ReadyRule): string {
  return chance === undefined || chance === 1
    ? ''
    : `, ${Math.round(chance * 1000) / 10} in 100 of them (drawn from the seed)`
}

function what({ answer: { status, body, headers, delay, fault, effect } }: ReadyRule): string {
  const late = delay === undefined ? '' : ` after ${duration(delay)}`
  const extra = headers === undefined ? '' : `, with the headers ${Object.keys(headers).join(', ')}`
  if (fault !== undefined)
    return `${effect === 'after' ? 'the operation takes place, but then ' : ''}the connection fails with ${fault}${late}`
  if (status === undefined && body === undefined) return `they are answered as usual${late}${extra}`
  const own = body === undefined ? '' : ' and a body of its own'
  return `${effect === 'after' ? 'the operation takes place, but then ' : ''}the answer is ${status ?? 'a success'}${own}${late}${extra}`
}

function duration(delay: Delay): string {
  if (typeof delay === 'number') return `${delay} ms`
  if ('uniform' in delay) return `${delay.uniform.lower} to ${delay.uniform.upper} ms`
  return `about ${delay.lognormal.median} ms (log-normal, sigma ${delay.lognormal.sigma})`
}

function afterwards({ then }: ReadyRule): string[] {
  return then === undefined ? [] : [`Then the scenario is in the state '${then}'.`]
}
