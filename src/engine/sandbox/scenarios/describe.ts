import type { Delay, Matcher } from '../../files/scenario.js'
import type { ReadyRule } from './scenario.js'

export function describeRule({ on, times, when = {}, chance = 1, answer, then }: ReadyRule): string {
  const { status, body, headers, delay, dribble, fault, effect } = answer
  const who = times === undefined ? 'Calls' : times === 1 ? 'First call' : `First ${times} calls`
  const calls = on === '*' ? 'any operation' : on.join(' or ')
  const odds = chance === 1 ? '' : `, ${Math.round(chance * 1000) / 10} % of them (drawn from the seed)`
  const pieces = dribble === undefined ? '' : `, in ${dribble.chunks} pieces over ${duration(dribble.duration)}`
  const late = `${delay === undefined ? '' : `, after ${duration(delay)}`}${pieces}`
  const extra = headers === undefined ? '' : `, with the headers ${Object.keys(headers).join(', ')}`
  const before = effect === 'after' ? 'the operation takes place, but then ' : ''
  const own = body === undefined ? '' : ' with its own body'
  const what =
    fault !== undefined
      ? `${before}the connection fails with ${fault}${late}`
      : status === undefined && body === undefined
        ? `answered as usual${late}${extra}`
        : `${before}the answer is ${status ?? 'a success'}${own}${late}${extra}`
  const after = then === undefined ? '' : ` Then the scenario is in the state '${then}'.`
  return `${who} of ${calls}${conditions(when)}${odds}: ${what}.${after}`
}

function conditions({ state, token, ...parts }: NonNullable<ReadyRule['when']>): string {
  const named = Object.entries(parts).flatMap(([part, matchers]) =>
    Object.entries(matchers).map(([name, matcher]) => `${part} ${name} ${wanted(matcher)}`),
  )
  const all = [
    ...(state === undefined ? [] : [`the scenario is in the state '${state}'`]),
    ...(token === undefined ? [] : [`the token ${wanted(token)}`]),
    ...named,
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
  return Object.entries(typeof matcher === 'object' ? matcher : { equals: matcher })
    .map(([name, value]) => {
      if (name === 'absent') return `is ${value ? 'absent' : 'present'}`
      return name in VERBS ? `${VERBS[name]} '${value}'` : `has a ${name} that ${wanted(value as Matcher)}`
    })
    .join(' and ')
}

function duration(delay: Delay): string {
  if (typeof delay === 'number') return delay < 1_000 ? `${delay} ms` : `${delay / 1_000} s`
  if ('uniform' in delay) return `${delay.uniform.lower} to ${delay.uniform.upper} ms`
  return `about ${delay.lognormal.median} ms (log-normal, sigma ${delay.lognormal.sigma})`
}
