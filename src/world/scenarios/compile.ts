import type { TSchema } from '@sinclair/typebox'
import type { Contract } from '../../../schemas/contract.js'
import { Rule, ScenarioFile } from '../../../schemas/scenario.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { checkOf } from '../../validation/check.js'
import { requireSchema } from '../../validation/require-schema.js'
import { checkRule } from './check-rule.js'
import { compileWhen, type Pattern } from './match.js'
import type { ReadyRule } from './scenario.js'

export interface CompiledScenario {
  readonly file: ScenarioFile
  readonly rules: readonly ReadyRule[]
}

/**
 * Checks the content of a scenario file, or of what `schema` says, as far as no other file is looked at.
 * @throws {InvalidFiles} with every complaint
 */
export async function compileScenario(
  source: SourceFile,
  contracts: readonly Contract[],
  schema: TSchema = ScenarioFile,
): Promise<CompiledScenario> {
  const file = (source.data ?? {}) as ScenarioFile
  const complaints: FileComplaint[] = await rulesAsOutcomes(source, file, contracts)
  if (complaints.length > 0) throw new InvalidFiles(complaints)
  await collectComplaints(complaints, () => requireSchema(source, schema, file))
  const rules: ReadyRule[] = []
  for (const [at, rule] of (Array.isArray(file.rules) ? file.rules : []).entries()) {
    if (complaints.length > 0 && checkOf(Rule)(rule).length > 0) continue
    const complain = (path: readonly (string | number)[], message: string) =>
      source.complain('rule', ['rules', at, ...path], message)
    for (const { path, message } of checkRule(rule, contracts)) complaints.push(await complain(path, message))
    try {
      const place = async () => {
        const { file, line, column } = await complain([], '')
        return { file, ...(line !== undefined && column !== undefined && { line, column }) }
      }
      rules.push(await ready(rule, place))
    } catch (error) {
      const message = `A pattern cannot be used: ${(error as Error).message}. Patterns are RE2: no look-around, no back-references.`
      complaints.push(await complain(['when'], message))
    }
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints)
  return { file, rules }
}

/** Rules that are written as outcomes are: what a rule looks like helps more than which key is unknown. */
async function rulesAsOutcomes(source: SourceFile, { rules }: ScenarioFile, contracts: readonly Contract[]) {
  const complaints: FileComplaint[] = []
  for (const [at, rule] of (Array.isArray(rules) ? rules : []).entries()) {
    const [key = '', given] =
      typeof rule === 'object' && rule !== null ? (Object.entries(rule)[0] ?? []) : String(rule).split(':')
    if (!contracts.some(({ id }) => id === key)) continue
    const status = /^\d{3}$/.test(String(given)) ? given : 'STATUS'
    const message = `A rule is written '- { on: ${key}, answer: { status: ${status} } }'.`
    complaints.push(await source.complain('schema', ['rules', at], message))
  }
  return complaints
}

/** Rules of a scenario with all that it extends: extending twice what extends twice doubles them each time. */
const MOST_RULES = 10_000

/**
 * The rules of the scenarios that a file extends, then its own. `find` gives the rules of a name, or says why it cannot.
 * @throws {InvalidFiles} for a name that cannot be extended, and for more rules than a scenario may have
 */
export async function withExtended(
  source: SourceFile,
  { file, rules: own }: CompiledScenario,
  find: (name: string) => Promise<readonly ReadyRule[] | string>,
): Promise<readonly ReadyRule[]> {
  const extended: ReadyRule[] = []
  for (const [at, name] of (file.extends ?? []).entries()) {
    const found = await find(name)
    if (typeof found === 'string') throw new InvalidFiles([await source.complain('reference', ['extends', at], found)])
    extended.push(...found)
    if (extended.length > MOST_RULES) break
  }
  const all = [...extended, ...own]
  if (all.length <= MOST_RULES) return all
  const message = `Including what it extends, the scenario has more than ${MOST_RULES} rules.`
  throw new InvalidFiles([await source.complain('too-large', ['extends'], message)])
}

/** `place` costs reading the file a second time: it is found when somebody asks. */
async function ready({ on, answer = {}, ...rule }: Rule, place: ReadyRule['place'] & object): Promise<ReadyRule> {
  const hasPattern = JSON.stringify(rule.when ?? {}).includes('"matches"')
  const meets = compileWhen(rule.when ?? {}, hasPattern ? await patternCompiler() : () => NEVER)
  return { ...rule, on: on === '*' ? on : [on].flat(), answer, meets, place }
}

const NEVER: Pattern = { matches: () => false }

/** Matching takes time in proportion to both: with these bounds at most a second. */
const LARGEST_PATTERN = 1_000
const LONGEST_TEXT = 64 * 1024

async function patternCompiler(): Promise<(pattern: string) => Pattern> {
  const { RE2JS } = await import('re2js')
  return (pattern) => {
    const compiled = RE2JS.compile(pattern)
    if (compiled.programSize() > LARGEST_PATTERN)
      throw new Error('its repetitions multiply to more than 1,000 steps: write smaller counts')
    return { matches: (text) => text.length <= LONGEST_TEXT && compiled.matcher(text).find() }
  }
}
