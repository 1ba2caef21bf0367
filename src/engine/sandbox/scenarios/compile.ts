import { findMismatches } from '../../contract/check.js'
import type { DataComplaint } from '../../contract/complaint.js'
import { checkRule } from '../../files/check-rule.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../../files/invalid-files.js'
import type { Rule, ScenarioFile, ScenarioFormat } from '../../files/scenario.js'
import type { SourceFile } from '../../files/source-file.js'
import { validateSource } from '../../files/validate-source.js'
import { compileWhen } from './match.js'
import type { ReadyRule } from './scenario.js'

export interface CompiledScenario {
  readonly file: ScenarioFile
  readonly rules: readonly ReadyRule[]
}

/** @throws {InvalidFiles} with every complaint, except about extended scenarios */
export async function compileScenario(
  source: SourceFile,
  format: ScenarioFormat,
  kind: 'file' | 'definition' = 'file',
): Promise<CompiledScenario> {
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

async function tooManyRules(source: SourceFile, count: number): Promise<InvalidFiles> {
  const message = `The scenario has ${count} rules, and can have at most ${MOST_RULES}, with those that it extends: make more scenarios of them, or match several calls by one rule.`
  return new InvalidFiles([await source.complain(['rules'], message)])
}

/** `find` returns the rules of a composed name, or why it cannot. */
export async function withExtended(
  source: SourceFile,
  { file, rules: own }: CompiledScenario,
  find: (name: string) => Promise<readonly ReadyRule[] | string>,
): Promise<readonly ReadyRule[]> {
  const all: (readonly ReadyRule[])[] = []
  let count = own.length
  for (const [at, name] of (file.extends ?? []).entries()) {
    const found = await find(name.normalize())
    if (typeof found === 'string') throw new InvalidFiles([await source.complain(['extends', at], found)])
    count += found.length
    if (count > MOST_RULES) throw await tooManyRules(source, count)
    all.push(found)
  }
  return [...all, own].flat()
}
