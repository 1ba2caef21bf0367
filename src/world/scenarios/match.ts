import type { FormValue } from '../../../schemas/common.js'
import type { Matcher, Rule } from '../../../schemas/scenario.js'
import type { MatchedRequest } from './scenario.js'

type Test = (value: string | undefined) => boolean
type Meets = (request: MatchedRequest) => boolean

/** A regular expression that matches in linear time, whatever the text. */
export interface Pattern {
  matches(text: string): boolean
}

/** What each matcher asks of a value; `matches` comes with its pattern compiled. */
const asks: { readonly [Name in Exclude<keyof Extract<Matcher, object>, 'matches'>]-?: (wanted: string) => Test } = {
  equals: (wanted) => (value) => value === wanted,
  contains: (wanted) => (value) => value?.includes(wanted) === true,
  startsWith: (wanted) => (value) => value?.startsWith(wanted) === true,
  endsWith: (wanted) => (value) => value?.endsWith(wanted) === true,
  absent: (wanted) => (value) => (value === undefined) === (wanted === 'true'),
}

/** Makes a rule's `when`, its state aside, a question to a request. */
export function compileWhen(when: Rule['when'], compile: (pattern: string) => Pattern): Meets {
  const { query, path, headers, body, token } = when ?? {}
  const tests: Meets[] = [
    ...fields(query, ({ query }) => query),
    ...fields(path, ({ path }) => path),
    ...fields(headers && lowerCased(headers), ({ headers }) => headers),
    ...fields(body, ({ body }) => body),
  ]
  if (token !== undefined) {
    const test = compileMatcher(token)
    tests.push((request) => test(request.token))
  }
  return (request) => tests.every((test) => test(request))

  function fields(
    matchers: Readonly<Record<string, Matcher>> | undefined,
    part: (request: MatchedRequest) => Readonly<Record<string, unknown>>,
  ): Meets[] {
    return Object.entries(matchers ?? {}).map(([name, matcher]) => {
      const test = compileMatcher(matcher)
      return (request) => texts(part(request)[name]).some(test)
    })
  }

  function compileMatcher(matcher: Matcher): Test {
    if (typeof matcher !== 'object') return asks.equals(String(matcher))
    const tests = Object.entries(matcher).map(([name, wanted]): Test => {
      if (name !== 'matches') return asks[name as keyof typeof asks](String(wanted))
      const pattern = compile(String(wanted))
      return (value) => value !== undefined && pattern.matches(value)
    })
    return (value) => tests.every((test) => test(value))
  }
}

/** A value as texts to match: a repeated one is several, a file is its name, an absent one is undefined. */
function texts(value: unknown): (string | undefined)[] {
  if (Array.isArray(value)) return value.flatMap(texts)
  if (value === undefined) return [undefined]
  return [typeof value === 'object' && value !== null ? (value as Exclude<FormValue, string>).filename : String(value)]
}

function lowerCased(headers: Readonly<Record<string, Matcher>>): Record<string, Matcher> {
  return Object.fromEntries(Object.entries(headers).map(([name, matcher]) => [name.toLowerCase(), matcher]))
}
