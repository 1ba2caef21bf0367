import { findMismatches } from '../../contract/check.js'
import type { DataComplaint } from '../../contract/complaint.js'
import type { FormValue } from '../../contract/fields.js'
import { checkRule } from '../../files/check-rule.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../../files/invalid-files.js'
import type { Matcher, Rule, ScenarioFile, ScenarioFormat } from '../../files/scenario.js'
import { invalidAt, type SourceFile } from '../../files/source-file.js'
import { validateSource } from '../../files/validate-source.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import { headerAsUtf8 } from '../../judge/token.js'
import type { ReadyRule } from './scenario.js'

export type CompiledScenario = Awaited<ReturnType<typeof compileScenario>>

/** @throws {InvalidFiles} with every complaint, except about extended scenarios */
export async function compileScenario(
  source: SourceFile,
  format: ScenarioFormat,
  kind: 'file' | 'definition' = 'file',
) {
  const file = (source.data ?? {}) as ScenarioFile
  if (Array.isArray(file.rules) && file.rules.length > MOST_RULES) throw await tooManyRules(source, file.rules.length)
  const complaints: FileComplaint[] = []
  await collectComplaints(complaints, () => validateSource(source, format[kind], file))
  const rules: ReadyRule[] = []
  for (const [at, rule] of (Array.isArray(file.rules) ? file.rules : []).entries()) {
    if (complaints.length > 0 && !isReadable(rule, format)) continue
    const complain = (path: DataComplaint['path'], message: string) => source.complain(['rules', at, ...path], message)
    for (const { path, message } of checkRule(rule, format.contracts)) complaints.push(await complain(path, message))
    // Locating a rule parses the file again.
    const place = async () => {
      const { file, line = 1, column = 1 } = await complain([], '')
      return { file, line, column }
    }
    try {
      rules.push({ ...(await compileRule(rule)), place })
    } catch (error) {
      const { message: reason, cause } = error as Error
      const message = `A pattern cannot be used: ${reason}. Patterns are RE2: no look-around, no back-references.`
      complaints.push(await complain(['when', ...((cause ?? []) as readonly string[])], message))
    }
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints)
  return { file, rules }
}

/** @throws {Error} for a pattern that RE2 cannot use; its cause is the path of the matcher in `when` */
export async function compileRule(rule: Rule): Promise<ReadyRule> {
  const { on, answer = {}, when = {} } = rule
  return { ...rule, on: on === '*' ? on : [on].flat(), answer, meets: await compileWhen(when) }
}

/** True if the only complaints are unknown keys outside of `when`. */
function isReadable(rule: unknown, format: ScenarioFormat): boolean {
  return findMismatches(format.rule, rule).every(
    ({ keyword, path: [part] }) => keyword === 'additionalProperties' && part !== 'when',
  )
}

const MOST_RULES = 1_000

function tooManyRules(source: SourceFile, count: number): Promise<InvalidFiles> {
  const message = `The scenario has ${count} rules, including inherited ones; the limit is ${MOST_RULES}. Split it, or use one rule for several calls.`
  return invalidAt(source, ['rules'], message)
}

export async function withExtended(
  source: SourceFile,
  { file, rules: own }: CompiledScenario,
  find: (name: string) => Promise<readonly ReadyRule[] | string>,
): Promise<readonly ReadyRule[]> {
  const all: (readonly ReadyRule[])[] = []
  let count = own.length
  for (const [at, name] of (file.extends ?? []).entries()) {
    const found = await find(name.normalize())
    if (typeof found === 'string') throw await invalidAt(source, ['extends', at], found)
    count += found.length
    if (count > MOST_RULES) throw await tooManyRules(source, count)
    all.push(found)
  }
  return [...all, own].flat()
}

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
async function compileWhen({ token, state: _, ...parts }: NonNullable<Rule['when']>) {
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
