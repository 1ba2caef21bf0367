import type { TSchema } from '@sinclair/typebox'
import type { Contract } from '../../../schemas/contract.js'
import { Rule, ScenarioFile } from '../../../schemas/scenario.js'
import { type Complaint, collectComplaints, type FilePlace, UnusableFiles } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { checkOf } from '../../validation/check.js'
import { requireSchema } from '../../validation/explain.js'
import { checkRule } from './check-rule.js'
import { compileWhen, type Pattern } from './match.js'
import type { ReadyRule } from './scenario.js'

/** The content of a scenario file, and its own rules, ready to be met. */
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
  const complaints: Complaint[] = await shortForms(source, file, contracts)
  if (complaints.length > 0) throw new UnusableFiles(complaints)
  await collectComplaints(complaints, () => requireSchema(source, schema, file))
  const rules: ReadyRule[] = []
  for (const [at, rule] of (Array.isArray(file.rules) ? file.rules : []).entries()) {
    if (complaints.length > 0 && checkOf(Rule)(rule).length > 0) continue
    for (const { path, message } of checkRule(rule, { contracts }))
      complaints.push(await source.complain('rule', ['rules', at, ...path], message))
    try {
      // Found when somebody asks: it costs reading the file a second time.
      rules.push(await ready(rule, () => placeOfRule(source, at)))
    } catch (error) {
      complaints.push(
        await source.complain(
          'rule',
          ['rules', at, 'when'],
          `A pattern cannot be used: ${(error as Error).message}. Patterns are RE2: no look-around, no back-references.`,
        ),
      )
    }
  }
  if (complaints.length > 0) throw new UnusableFiles(complaints)
  return { file, rules }
}

/** Rules that are written as outcomes are: what a rule looks like helps more than which key is unknown. */
async function shortForms(
  source: SourceFile,
  { rules }: ScenarioFile,
  contracts: readonly Contract[],
): Promise<Complaint[]> {
  const complaints: Complaint[] = []
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

async function placeOfRule({ complain }: SourceFile, at: number): Promise<FilePlace> {
  const { file, line, column } = await complain('rule', ['rules', at], '')
  return { file, ...(line !== undefined && column !== undefined && { line, column }) }
}

async function ready(rule: Rule, place: () => Promise<FilePlace>): Promise<ReadyRule> {
  const { on, answer = {}, ...rest } = rule
  const compile = hasPattern(rule) ? await patternCompiler() : () => NEVER
  const meets = compileWhen(rule.when, compile)
  return { ...rest, answer, on: on === '*' ? undefined : new Set([on].flat()), meets, place }
}

function hasPattern({ when }: Rule): boolean {
  return JSON.stringify(when ?? {}).includes('"matches"')
}

const NEVER: Pattern = { matches: () => false }

/** Matching takes time in proportion to both: with these bounds at most a second. */
const LARGEST_PATTERN = 1_000
const LONGEST_TEXT = 64 * 1024

/** Loaded when a file first has a pattern. */
async function patternCompiler(): Promise<(pattern: string) => Pattern> {
  const { RE2JS } = await import('re2js')
  return (pattern) => {
    const compiled = RE2JS.compile(pattern)
    if (compiled.programSize() > LARGEST_PATTERN)
      throw new Error('its repetitions multiply to more than 1,000 steps: write smaller counts')
    return { matches: (text) => text.length <= LONGEST_TEXT && compiled.matcher(text).find() }
  }
}
