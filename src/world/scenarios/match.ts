import type { FormValue } from '../../../schemas/common.js'
import type { Matcher, Rule } from '../../../schemas/scenario.js'
import type { MatchedRequest } from './scenario.js'

type Test = (value: string | undefined) => boolean

/** A regular expression that matches in linear time, whatever the text. */
export interface Pattern {
  matches(text: string): boolean
}

const asks: Readonly<Record<string, (value: string | undefined, wanted: string) => boolean>> = {
  equals: (value, wanted) => value === wanted,
  contains: (value, wanted) => value?.includes(wanted) === true,
  startsWith: (value, wanted) => value?.startsWith(wanted) === true,
  endsWith: (value, wanted) => value?.endsWith(wanted) === true,
  absent: (value, wanted) => (value === undefined) === (wanted === 'true'),
}

/** Makes a rule's `when`, its state aside, a question to a request. */
export function compileWhen(
  { token, state: _, ...parts }: NonNullable<Rule['when']>,
  compile: (pattern: string) => Pattern,
): (request: MatchedRequest) => boolean {
  const named = Object.entries(parts).flatMap(([part, matchers]) =>
    Object.entries(matchers).map(([name, matcher]) => {
      const [key, test] = [part === 'headers' ? name.toLowerCase() : name, compileMatcher(matcher, compile)]
      return (request: MatchedRequest) => textsOf(request[part as keyof typeof parts][key]).some(test)
    }),
  )
  const ofToken = token === undefined ? () => true : compileMatcher(token, compile)
  return (request) => named.every((test) => test(request)) && ofToken(request.token)
}

function compileMatcher(matcher: Matcher, compile: (pattern: string) => Pattern): Test {
  const tests = Object.entries(typeof matcher === 'object' ? matcher : { equals: matcher }).map(
    ([name, given]): Test => {
      const wanted = String(given)
      if (name !== 'matches') return (value) => asks[name]?.(value, wanted) === true
      const pattern = compile(wanted)
      return (value) => value !== undefined && pattern.matches(value)
    },
  )
  return (value) => tests.every((test) => test(value))
}

/** A value as texts to match: a repeated one is several, a file is its name, an absent one is undefined. */
function textsOf(value: unknown): (string | undefined)[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (typeof value === 'object' && value !== null) return [(value as Exclude<FormValue, string>).filename]
  return [value === undefined ? undefined : String(value)]
}
