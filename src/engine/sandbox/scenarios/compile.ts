import { findMismatches } from '../../contract/check.js'
import type { DataComplaint } from '../../contract/complaint.js'
import type { FormValue } from '../../contract/fields.js'
import { checkRule } from '../../files/check-rule.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../../files/invalid-files.js'
import type { FieldMatcher, Rule, ScenarioFile, ScenarioFormat } from '../../files/scenario.js'
import { invalidAt, type SourceFile } from '../../files/source-file.js'
import { needsQuotes, validateSource } from '../../files/validate-source.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import { headerAsUtf8 } from '../../judge/token.js'
import { nextTurn } from '../../timers.js'
import type { CompiledRule } from './scenario.js'

export type CompiledScenario = Awaited<ReturnType<typeof compileScenario>>

/** @throws {InvalidFiles} with every complaint, except those about extended scenarios */
export async function compileScenario(
  source: SourceFile,
  format: ScenarioFormat,
  kind: 'file' | 'definition' = 'file',
) {
  const file = (source.data ?? {}) as ScenarioFile
  if (Array.isArray(file.rules) && file.rules.length > MAX_RULES) throw await tooManyRules(source, file.rules.length)
  const complaints: FileComplaint[] = []
  await collectComplaints(complaints, () => validateSource(source, format[kind], file))
  const rules: CompiledRule[] = []
  for (const [at, rule] of (Array.isArray(file.rules) ? file.rules : []).entries()) {
    // Patterns take long to compile.
    await nextTurn()
    if (complaints.length > 0 && !isCompilable(rule, format)) continue
    const complain = (path: DataComplaint['path'], message: string) => source.complain(['rules', at, ...path], message)
    for (const { path, message, needsText } of checkRule(rule, format.contracts)) {
      const lossy = source.lossyScalars.find((scalar) => `${scalar.path}` === `${['rules', at, ...path]}`)
      complaints.push(await complain(path, needsText && lossy ? needsQuotes(lossy) : message))
    }
    // Lazy, since locating a rule parses the file again.
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
export async function compileRule(rule: Rule): Promise<CompiledRule> {
  const { on, answer = {}, when = {} } = rule
  return { ...rule, on: on === '*' ? on : [on].flat(), answer, matches: await compileWhen(when) }
}

/** True if the rule has no mistakes other than unknown keys outside of `when`. */
function isCompilable(rule: unknown, format: ScenarioFormat): boolean {
  const mismatches = findMismatches(format.rule, rule)
  return mismatches.every(({ keyword, path: [part] }) => keyword === 'additionalProperties' && part !== 'when')
}

const MAX_RULES = 1_000

function tooManyRules(source: SourceFile, count: number): Promise<InvalidFiles> {
  const message = `The scenario has ${count} rules, including inherited ones; the limit is ${MAX_RULES}. Split it, or use one rule for several calls.`
  return invalidAt(source, ['rules'], message)
}

/** `find` returns the rules of an extended scenario, or a complaint. The inherited rules come first. */
export async function addInheritedRules(
  source: SourceFile,
  { file, rules }: CompiledScenario,
  find: (name: string) => Promise<readonly CompiledRule[] | string>,
): Promise<readonly CompiledRule[]> {
  const inherited: CompiledRule[] = []
  for (const [at, name] of (file.extends ?? []).entries()) {
    const others = await find(name.normalize())
    if (typeof others === 'string') throw await invalidAt(source, ['extends', at], others)
    inherited.push(...others)
    const count = inherited.length + rules.length
    if (count > MAX_RULES) throw await tooManyRules(source, count)
  }
  return [...inherited, ...rules]
}

type Value = string | Exclude<FormValue, string> | undefined
type Test<T = Value> = (value: T) => boolean

const FILE_PARTS = { filename: 'filename', size: 'size', type: 'mimetype', sha256: 'sha256' } as const

const tests: Readonly<Record<string, (value: string | undefined, expected: string) => boolean>> = {
  equals: (value, expected) => value === expected,
  contains: (value, expected) => value?.includes(expected) === true,
  startsWith: (value, expected) => value?.startsWith(expected) === true,
  endsWith: (value, expected) => value?.endsWith(expected) === true,
  absent: (value, expected) => (value === undefined) === (expected === 'true'),
}

const PARTS = { query: 'query', path: 'params', headers: 'headers', body: 'form' } as const

async function compileWhen({ token, state: _, ...parts }: NonNullable<Rule['when']>) {
  const requestTests: Test<ReceivedRequest>[] = []
  for (const [partName, matchers] of Object.entries(parts)) {
    const part = PARTS[partName as keyof typeof PARTS]
    for (const [name, matcher] of Object.entries(matchers)) {
      const key = part === 'headers' ? name.toLowerCase() : name
      const test = await compileMatcher(matcher, [partName, name])
      requestTests.push((request) => valuesOf(request[part]?.[key], part).some(test))
    }
  }
  if (token !== undefined) {
    const test = await compileMatcher(token, ['token'])
    requestTests.push((request) => test(request.token))
  }
  return (request: ReceivedRequest) => requestTests.every((test) => test(request))
}

async function compileMatcher(matcher: FieldMatcher, path: readonly string[]): Promise<Test> {
  const rejectWithPath = ({ message }: Error) => Promise.reject(new Error(message, { cause: path }))
  const valueTests: Test[] = []
  for (const [name, condition] of Object.entries(typeof matcher === 'object' ? matcher : { equals: matcher })) {
    if (name in FILE_PARTS) {
      const test = await compileMatcher(condition as FieldMatcher, [...path, name])
      const part = FILE_PARTS[name as keyof typeof FILE_PARTS]
      valueTests.push((value) => typeof value === 'object' && test(String(value[part])))
      continue
    }
    const expected = String(condition)
    const matchesPattern = name === 'matches' ? await compilePattern(expected).catch(rejectWithPath) : undefined
    const test = matchesPattern ?? ((text: string | undefined) => tests[name]?.(text, expected) === true)
    valueTests.push((value) => test(typeof value === 'object' ? value.filename : value))
  }
  return (value) => valueTests.every((test) => test(value))
}

const MOST_STEPS = 1_000
/** Steps of a pattern times characters; this many take 0.2 seconds. A longer text does not match. */
const LARGEST_MATCH = 5_000_000

async function compilePattern(pattern: string): Promise<Test<string | undefined>> {
  const { RE2JS } = await import('re2js')
  const compiled = RE2JS.compile(pattern)
  if (compiled.programSize() > MOST_STEPS)
    throw new Error('its repetitions are too large (over 1,000 steps): use smaller counts')
  const longest = LARGEST_MATCH / compiled.programSize()
  return (value) => value !== undefined && value.length <= longest && compiled.matcher(value).find()
}

function valuesOf(value: unknown, part: string): Value[] {
  if (part === 'headers') return headerValues(value)
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) return [value as Value]
  return [value === undefined ? undefined : String(value)]
}

function headerValues(value: unknown): (string | undefined)[] {
  if (value === undefined) return [undefined]
  const texts = Array.isArray(value) ? [...value, value.join(', ')] : [String(value)]
  return texts.flatMap((text) => [text, headerAsUtf8(text)])
}
