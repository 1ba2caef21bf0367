import type { FormValue } from '../../../../schemas/common.js'
import type { Matcher, Rule } from '../../../../schemas/scenario.js'
import type { ReceivedRequest } from '../../validation/received-request.js'

type Test = (value: string | undefined) => boolean

const tests: Readonly<Record<string, (value: string | undefined, wanted: string) => boolean>> = {
  equals: (value, wanted) => value === wanted,
  contains: (value, wanted) => value?.includes(wanted) === true,
  startsWith: (value, wanted) => value?.startsWith(wanted) === true,
  endsWith: (value, wanted) => value?.endsWith(wanted) === true,
  absent: (value, wanted) => (value === undefined) === (wanted === 'true'),
}

/** What a rule's `when` calls the parts of a request. */
const PARTS = { query: 'query', path: 'params', headers: 'headers', body: 'form' } as const

/** A test of requests from a rule's `when`, except for its state. @throws {Error} for a pattern that RE2 cannot use */
export async function compileWhen({ token, state: _, ...parts }: NonNullable<Rule['when']>) {
  const all: ((request: ReceivedRequest) => boolean)[] = []
  for (const [words, matchers] of Object.entries(parts)) {
    const part = PARTS[words as keyof typeof PARTS]
    for (const [name, matcher] of Object.entries(matchers)) {
      const key = part === 'headers' ? name.toLowerCase() : name
      const test = await compileMatcher(matcher)
      all.push((request) => textsOf(request[part]?.[key]).some(test))
    }
  }
  if (token !== undefined) {
    const test = await compileMatcher(token)
    all.push((request) => test(request.token))
  }
  return (request: ReceivedRequest) => all.every((test) => test(request))
}

async function compileMatcher(matcher: Matcher): Promise<Test> {
  const all: Test[] = []
  for (const [name, given] of Object.entries(typeof matcher === 'object' ? matcher : { equals: matcher })) {
    const wanted = String(given)
    all.push(name === 'matches' ? await compilePattern(wanted) : (value) => tests[name]?.(value, wanted) === true)
  }
  return (value) => all.every((test) => test(value))
}

/** With these bounds a match takes at most a second. */
const LARGEST_PATTERN = 1_000
const LONGEST_TEXT = 64 * 1024

async function compilePattern(pattern: string): Promise<Test> {
  const { RE2JS } = await import('re2js')
  const compiled = RE2JS.compile(pattern)
  if (compiled.programSize() > LARGEST_PATTERN)
    throw new Error('its repetitions are too large (over 1,000 steps): use smaller counts')
  return (value) => value !== undefined && value.length <= LONGEST_TEXT && compiled.matcher(value).find()
}

/** A value as texts to match: each of a repeated one, the name of a file, undefined for an absent one. */
function textsOf(value: unknown): (string | undefined)[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (typeof value === 'object' && value !== null) return [(value as Exclude<FormValue, string>).filename]
  return [value === undefined ? undefined : String(value)]
}
