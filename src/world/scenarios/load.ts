import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Contract } from '../../../schemas/contract.js'
import { type Rule, ScenarioFile } from '../../../schemas/scenario.js'
import { type FileComplaint, fileErrorReason, InvalidFiles } from '../../text/invalid-files.js'
import { readSource, type SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { requireSchema } from '../../validation/explain.js'
import { checkRule } from './check-rule.js'
import { compileWhen, type Pattern } from './match.js'
import type { ReadyRule, Scenario } from './scenario.js'

/** What scenario files are checked against. */
export interface LoadContext {
  readonly contracts: readonly Contract[]
  /** The scenarios that are no files, which may be extended too. */
  readonly outcome: (name: string) => Scenario | undefined
}

/** The scenarios of some folders, and every complaint about their files. */
export interface LoadedScenarios {
  readonly scenarios: ReadonlyMap<string, Scenario>
  readonly complaints: readonly FileComplaint[]
  /** Names whose file cannot be used. */
  readonly broken: ReadonlySet<string>
}

const ENDINGS = new Set(['.yaml', '.yml', '.json'])

/** A file that was read, and in which nothing is wrong as long as no other file is looked at. */
interface Draft {
  readonly name: string
  readonly source: SourceFile
  readonly file: ScenarioFile
  readonly rules: readonly ReadyRule[]
}

/** Loads every scenario file of the folders; a later folder's file replaces an earlier one of the same name. */
export async function loadScenarios(folders: readonly string[], context: LoadContext): Promise<LoadedScenarios> {
  const files = new Map<string, string>()
  const complaints: FileComplaint[] = []
  for (const folder of folders) {
    const here = new Set<string>()
    for (const file of await scenarioFiles(folder)) {
      const name = nameOf(file)
      if (here.has(name))
        complaints.push({
          file,
          message: `There is another file for the scenario '${name}' in this folder: rename one.`,
        })
      if (context.outcome(name) !== undefined)
        complaints.push({ file, message: `The name '${name}' is an outcome's: rename the file.` })
      here.add(name)
      files.set(name, file)
    }
  }
  const drafts = new Map<string, Draft>()
  const broken = new Set<string>()
  for (const [name, file] of files) {
    try {
      drafts.set(name, await read(name, file, context))
    } catch (error) {
      if (!(error instanceof InvalidFiles)) throw error
      complaints.push(...error.complaints)
      broken.add(name)
    }
  }
  const scenarios = new Map<string, Scenario>()
  for (const draft of drafts.values()) {
    try {
      const rules = await flatten(draft, drafts, broken, context, [])
      scenarios.set(draft.name, { name: draft.name, description: draft.file.description ?? '', rules })
    } catch (error) {
      if (!(error instanceof InvalidFiles)) throw error
      complaints.push(...error.complaints)
      broken.add(draft.name)
    }
  }
  return { scenarios, complaints, broken }
}

export function nameOf(file: string): string {
  return basename(file, extname(file))
}

async function scenarioFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder))
      .filter((name) => ENDINGS.has(extname(name)) && !name.startsWith('.'))
      .map((name) => join(folder, name))
      .sort()
  } catch (error) {
    throw new InvalidFiles([{ file: folder, message: `The scenarios cannot be read: ${fileErrorReason(error)}.` }])
  }
}

async function read(name: string, path: string, context: LoadContext): Promise<Draft> {
  const source = await readSource(path)
  await requireSchema(source, ScenarioFile, source.data ?? {})
  const file = (source.data ?? {}) as ScenarioFile
  const complaints: FileComplaint[] = []
  const rules: ReadyRule[] = []
  for (const [at, rule] of (file.rules ?? []).entries()) {
    for (const { path, message } of checkRule(rule, context))
      complaints.push(await source.complain(['rules', at, ...path], message))
    try {
      rules.push(await ready(rule))
    } catch (error) {
      complaints.push(
        await source.complain(
          ['rules', at, 'when'],
          `A pattern cannot be used: ${(error as Error).message}. Patterns are RE2: no look-around, no back-references.`,
        ),
      )
    }
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints)
  return { name, source, file, rules }
}

async function ready(rule: Rule): Promise<ReadyRule> {
  const { on, answer = {}, ...rest } = rule
  const compile = hasPattern(rule) ? await patternCompiler() : () => NEVER
  return { ...rest, answer, on: on === '*' ? undefined : new Set([on].flat()), meets: compileWhen(rule.when, compile) }
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

/** Rules of a scenario with all that it extends: extending twice what extends twice doubles them with every file. */
const MOST_RULES = 10_000

/** The rules of the scenarios it extends, then its own. */
async function flatten(
  draft: Draft,
  drafts: ReadonlyMap<string, Draft>,
  broken: ReadonlySet<string>,
  context: LoadContext,
  above: readonly string[],
): Promise<readonly ReadyRule[]> {
  const rules: ReadyRule[] = []
  for (const [at, name] of (draft.file.extends ?? []).entries()) {
    const chain = [...above, draft.name]
    const refuse = async (message: string) => new InvalidFiles([await draft.source.complain(['extends', at], message)])
    if (chain.includes(name)) throw await refuse(`'extends' goes in a circle: ${[...chain, name].join(' → ')}.`)
    const outcome = context.outcome(name)
    if (outcome !== undefined) {
      rules.push(...outcome.rules)
      continue
    }
    const other = drafts.get(name)
    if (other === undefined) {
      throw await refuse(
        broken.has(name)
          ? `The scenario '${name}' cannot be used: fix its file first.`
          : `There is no scenario ${quote(name)}.${didYouMean(name, drafts.keys())}`,
      )
    }
    rules.push(...(await flatten(other, drafts, broken, context, chain)))
    if (rules.length > MOST_RULES)
      throw await refuse(`With what it extends, the scenario has more than ${MOST_RULES} rules.`)
  }
  return [...rules, ...draft.rules]
}
