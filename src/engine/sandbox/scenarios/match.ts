import type { FormValue } from '../../contract/fields.js'
import type { Matcher, Rule } from '../../files/scenario.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import { headerAsUtf8 } from '../../judge/token.js'

type Value = string | Exclude<FormValue, string> | undefined
type Test<T = Value> = (value: T) => boolean

const FILE_PARTS = { filename: 'filename', size: 'size', type: 'mimetype', sha256: 'sha256' } as const

const tests: Readonly<Record<string, (value: string | undefined, wanted: string) => boolean>> = {
  equals: (value, wanted) => value === wanted,
  contains: (value, wanted) => value?.includes(wanted) === true,
  startsWith: (value, wanted) => value?.startsWith(wanted) === true,
  endsWith: (value, wanted) => value?.endsWith(wanted) === true,
  absent: (value, wanted) => (value === undefined) === (wanted === 'true'),
}

const PARTS = { query: 'query', path: 'params', headers: 'headers', body: 'form' } as const

/** @throws {Error} for a pattern that RE2 cannot use, with its path in `when` as cause */
export async function compileWhen({ token, state: _, ...parts }: NonNullable<Rule['when']>) {
  const all: ((request: ReceivedRequest) => boolean)[] = []
  for (const [words, matchers] of Object.entries(parts)) {
    const part = PARTS[words as keyof typeof PARTS]
    for (const [name, matcher] of Object.entries(matchers)) {
      const key = part === 'headers' ? name.toLowerCase() : name
      const test = await compileMatcher(matcher, [words, name])
      all.push((request) => valuesOf(request[part]?.[key], part).some(test))
    }
  }
  if (token !== undefined) {
    const test = await compileMatcher(token, ['token'])
    all.push((request) => test(request.token))
  }
  return (request: ReceivedRequest) => all.every((test) => test(request))
}

async function compileMatcher(matcher: Matcher, path: readonly string[]): Promise<Test> {
  const fail = ({ message }: Error) => Promise.reject(new Error(message, { cause: path }))
  const all: Test[] = []
  for (const [name, given] of Object.entries(typeof matcher === 'object' ? matcher : { equals: matcher })) {
    if (name in FILE_PARTS) {
      const test = await compileMatcher(given as Matcher, [...path, name])
      const part = FILE_PARTS[name as keyof typeof FILE_PARTS]
      all.push((value) => typeof value === 'object' && test(String(value[part])))
      continue
    }
    const wanted = String(given)
    const test = name === 'matches' ? await compilePattern(wanted).catch(fail) : undefined
    all.push((value) => {
      const text = typeof value === 'object' ? value.filename : value
      return test === undefined ? tests[name]?.(text, wanted) === true : test(text)
    })
  }
  return (value) => all.every((test) => test(value))
}

/** Keeps a match below a second. */
const LARGEST_PATTERN = 1_000
const LONGEST_TEXT = 64 * 1024

async function compilePattern(pattern: string): Promise<Test<string | undefined>> {
  const { RE2JS } = await import('re2js')
  const compiled = RE2JS.compile(pattern)
  if (compiled.programSize() > LARGEST_PATTERN)
    throw new Error('its repetitions are too large (over 1,000 steps): use smaller counts')
  return (value) => value !== undefined && value.length <= LONGEST_TEXT && compiled.matcher(value).find()
}

function valuesOf(value: unknown, part: string): Value[] {
  if (part === 'headers') return headerValues(value)
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) return [value as Value]
  return [value === undefined ? undefined : String(value)]
}

function headerValues(value: unknown): (string | undefined)[] {
  if (value === undefined) return [undefined]
  const read = Array.isArray(value) ? [...value, value.join(', ')] : [String(value)]
  return read.flatMap((text) => [text, headerAsUtf8(text)])
}
