import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { collectComplaints, type FileComplaint, InvalidFiles, unreadable } from '../../files/invalid-files.js'
import type { ScenarioFile, ScenarioFormat } from '../../files/scenario.js'
import { dataFilesIn, isDataFile, readSource, type SourceFile } from '../../files/source-file.js'
import { stampOf } from '../../files/stamp.js'
import { type CompiledScenario, compileRule, compileScenario, withExtended } from './compile.js'
import { type FindUnlisted, ScenarioLibrary } from './library.js'
import { forcingScenarios, noScenario, type ReadyRule, type Scenario } from './scenario.js'
import { warningsFor } from './warnings.js'

export interface LibrarySources {
  /** The user's files win over shipped ones. */
  readonly folder: string | undefined
  readonly findUnlisted?: FindUnlisted
  readonly shipped: ShippedScenarios
  /** Has the last good version of broken files. */
  readonly before?: ScenarioLibrary | undefined
}

interface ScenarioDraft extends CompiledScenario {
  readonly source: SourceFile
  readonly stamp: string
}

/** An unreadable folder changes nothing. */
export async function loadLibrary(
  format: ScenarioFormat,
  { folder, findUnlisted, before, shipped: written }: LibrarySources,
) {
  const complaints: FileComplaint[] = []
  const outcomes = forcingScenarios(format.contracts)
  const shipped = await compileShipped(written)
  const files = await collectComplaints(complaints, () => filesByName(folder, outcomes, complaints))
  if (files === undefined) {
    const library = before ?? new ScenarioLibrary(format, new Map([...shipped, ...outcomes]))
    return { library, complaints, warnings: [] }
  }
  const drafts = new Map<string, ScenarioDraft>()
  for (const [name, file] of files) {
    const draft = await collectComplaints(complaints, () => readDraft(file, format))
    if (draft !== undefined) drafts.set(name, draft)
  }
  const own = new Map<string, Scenario>()
  const flat = new Map<string, readonly ReadyRule[]>()
  const warnings = folder === undefined ? [] : await foldersIn(folder)
  for (const [name, draft] of drafts) {
    const rules = await collectComplaints(complaints, () => flatten([name], draft))
    if (rules === undefined) continue
    own.set(name, { name, source: 'file', description: draft.file.description ?? '', rules, stamp: stampsOf(draft) })
    warnings.push(...(await warningsFor(draft.source, rules, draft.rules, format.contracts)))
  }
  for (const name of files.keys()) {
    const lastGood = own.has(name) ? undefined : before?.find(name)
    if (lastGood !== undefined) own.set(name, lastGood)
  }
  const read = Array.from([...shipped, ...own], ([name, scenario]) => {
    const known = before?.find(name)
    // An unchanged scenario keeps its progress.
    const isSame = known?.source === scenario.source && known.stamp === scenario.stamp
    return [name, isSame ? known : scenario] as const
  })
  return { library: new ScenarioLibrary(format, new Map([...read, ...outcomes]), findUnlisted), complaints, warnings }

  /** Includes the files that it extends. */
  function stampsOf({ stamp, file }: ScenarioDraft): string {
    const others = (file.extends ?? []).map((name) => drafts.get(name)).filter((one) => one !== undefined)
    return [stamp, ...others.map(stampsOf)].join('\n')
  }

  function flatten(chain: readonly string[], draft: ScenarioDraft): Promise<readonly ReadyRule[]> {
    return withExtended(draft.source, draft, async (name) => {
      if (chain.includes(name)) return `'extends' forms a circle: ${[...chain, name].join(' → ')}.`
      const known = flat.get(name)
      if (known !== undefined) return known
      const other = drafts.get(name)
      if (other !== undefined) {
        const rules = await flatten([...chain, name], other)
        flat.set(name, rules)
        return rules
      }
      if (files?.has(name)) return `The scenario '${name}' cannot be used: fix its file first.`
      const others = outcomes.get(name) ?? shipped.get(name)
      const names = [...shipped.keys(), ...drafts.keys()]
      return others?.rules ?? noScenario(name, names)
    })
  }
}

/** The build has checked them. */
export type ShippedScenarios = Readonly<Record<string, Required<Pick<ScenarioFile, 'description' | 'rules'>>>>

async function compileShipped(written: ShippedScenarios): Promise<ReadonlyMap<string, Scenario>> {
  const scenarios = Object.entries(written).map(async ([name, { description, rules }]): Promise<[string, Scenario]> => {
    return [name, { name, source: 'shipped', description, rules: await Promise.all(rules.map(compileRule)) }]
  })
  return new Map(await Promise.all(scenarios))
}

async function filesByName(
  folder: string | undefined,
  outcomes: ReadonlyMap<string, Scenario>,
  complaints: FileComplaint[],
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const file of folder === undefined ? [] : await scenarioFiles(folder, complaints)) {
    const name = nameOf(file)
    if (files.has(name)) {
      const message = `There is another file for the scenario '${name}' in this folder: rename one of them.`
      complaints.push({ file, message })
    }
    if (outcomes.has(name)) {
      complaints.push({ file, message: `The name '${name}' is the name of an outcome: rename the file.` })
    }
    files.set(name, file)
  }
  return files
}

/** Some systems decompose letters in file names. */
export function nameOf(file: string): string {
  return basename(file, extname(file)).normalize()
}

async function readDraft(file: string, format: ScenarioFormat): Promise<ScenarioDraft> {
  const stamp = stampOf(file)
  const source = await readSource(file)
  if (source.data === undefined || source.data === null)
    throw new InvalidFiles([{ file, message: 'The file is empty: add rules, or delete it.' }])
  return { source, stamp, ...(await compileScenario(source, format)) }
}

/** Warns about subfolders. */
async function foldersIn(folder: string): Promise<FileComplaint[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((one) => one.isDirectory() && !one.name.startsWith('.') && !isDataFile(one.name))
    .map(({ name }) => ({ file: join(folder, name), message: 'Subfolders are ignored; move these files up.' }))
}

/** A missing folder is a complaint. */
async function scenarioFiles(folder: string, complaints: FileComplaint[]): Promise<string[]> {
  try {
    return await dataFilesIn(folder)
  } catch (error) {
    const failure = unreadable(folder, error, 'scenarios')
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw failure
    complaints.push(...failure.complaints)
    return []
  }
}
