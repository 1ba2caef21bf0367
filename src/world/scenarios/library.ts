import { type Contract, statusesOf } from '../../../schemas/contract.js'
import { type FileComplaint, InvalidFiles } from '../../text/source-file.js'
import type { Loaded } from './load.js'
import { outcomeScenario, type Scenario } from './scenario.js'

/** Reads the scenario files; given the outcomes, which files may extend. */
export type ReadScenarios = (outcome: (name: string) => Scenario | undefined) => Promise<Loaded>

/** Every scenario there is: those of files, and one for each outcome. */
export class Library {
  readonly #outcomes: ReadonlyMap<string, Scenario>
  #files: ReadonlyMap<string, Scenario> = new Map()
  readonly #read: ReadScenarios
  #reading: Promise<readonly FileComplaint[]> | undefined
  #loaded = false

  /** `read` is called when a scenario of a file is first wanted. */
  constructor(contracts: readonly Contract[], read: ReadScenarios) {
    this.#read = read
    this.#outcomes = new Map(
      contracts
        .flatMap((contract) => statusesOf(contract).map((status) => outcomeScenario(contract, status)))
        .map((scenario) => [scenario.name, scenario]),
    )
  }

  find(name: string): Scenario | undefined {
    return this.#outcomes.get(name) ?? this.#files.get(name)
  }

  /** Whether a name can only be known once the files are read. */
  needsFilesFor(name: string): boolean {
    return !this.#outcomes.has(name) && !this.#loaded
  }

  /** Reads the files, once; resolves with the complaints about them. */
  load(): Promise<readonly FileComplaint[]> {
    this.#reading ??= this.#load()
    return this.#reading
  }

  /** Reads the files again: one that has become unusable keeps its last good version, an unchanged one its play. */
  reload(): Promise<readonly FileComplaint[]> {
    this.#reading = this.#load()
    return this.#reading
  }

  /** A folder that cannot be read leaves all as it was. */
  async #load(): Promise<readonly FileComplaint[]> {
    try {
      return this.#take(await this.#read((name) => this.#outcomes.get(name)))
    } catch (error) {
      if (error instanceof InvalidFiles) return error.complaints
      throw error
    }
  }

  #take({ scenarios, broken, complaints }: Loaded): readonly FileComplaint[] {
    const files = new Map<string, Scenario>()
    for (const [name, scenario] of scenarios) {
      const known = this.#files.get(name)
      files.set(name, known !== undefined && same(known, scenario) ? known : scenario)
    }
    for (const name of broken) {
      const lastGood = this.#files.get(name)
      if (lastGood !== undefined) files.set(name, lastGood)
    }
    this.#files = files
    this.#loaded = true
    return complaints
  }

  /** Those of files first. */
  all(): readonly Scenario[] {
    return [...this.#files.values(), ...this.#outcomes.values()]
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name)
  }
}

function same(a: Scenario, b: Scenario): boolean {
  return text(a) === text(b)
}

function text({ description, rules }: Scenario): string {
  return JSON.stringify([description, rules.map((rule) => ({ ...rule, on: rule.on && [...rule.on] }))])
}
