import { type Contract, statusesOf } from '../../../schemas/contract.js'
import { type Complaint, UnusableFiles } from '../../text/invalid-files.js'
import type { LoadedScenarios } from './load.js'
import { gatewayScenarios, outcomeScenario, type Scenario } from './scenario.js'

/** Reads the scenario files; files may extend the outcomes that it is given. */
export type ReadScenarios = (outcome: (name: string) => Scenario | undefined) => Promise<LoadedScenarios>

/** Every scenario there is: those of files, read when one is first wanted, and one for each outcome and gateway status. */
export class Library {
  /** What the rules are checked against. */
  readonly contracts: readonly Contract[]
  readonly #read: ReadScenarios
  readonly #outcomes: ReadonlyMap<string, Scenario>
  /** The scenarios of the library before the edit, which an unusable file falls back on. */
  readonly #earlier: ReadonlyMap<string, Scenario>
  #files: ReadonlyMap<string, Scenario>
  #unlisted: LoadedScenarios['unlisted']
  #notes: readonly Complaint[] = []
  #reading: Promise<readonly Complaint[]> | undefined
  #loaded: boolean

  constructor(contracts: readonly Contract[], read: ReadScenarios, before?: Library) {
    this.contracts = contracts
    this.#read = read
    this.#outcomes = outcomesOf(contracts, before === undefined ? new Map() : before.#outcomes)
    this.#earlier = before === undefined ? new Map() : before.#files
    this.#files = this.#earlier
    this.#unlisted = before === undefined ? undefined : before.#unlisted
    this.#loaded = before === undefined ? false : before.#loaded
  }

  /** The library after an edit: a file that has become unusable keeps its last good version, an unchanged one its play. */
  edited(contracts: readonly Contract[], read: ReadScenarios): Library {
    return new Library(contracts, read, this)
  }

  find(name: string): Scenario | undefined {
    return this.#outcomes.get(name) ?? this.#files.get(name) ?? this.#unlisted?.(name)
  }

  /** Whether a name can only be known once the files are read. */
  needsFilesFor(name: string): boolean {
    return !this.#outcomes.has(name) && !this.#loaded
  }

  /** Reads the files, once; resolves with the complaints about them. */
  load(): Promise<readonly Complaint[]> {
    this.#reading ??= this.#load()
    return this.#reading
  }

  /** A folder that cannot be read leaves all as it was. */
  async #load(): Promise<readonly Complaint[]> {
    try {
      return this.#adopt(await this.#read((name) => this.#outcomes.get(name)))
    } catch (error) {
      if (error instanceof UnusableFiles) return error.complaints
      throw error
    }
  }

  #adopt({ scenarios, broken, complaints, notes, unlisted }: LoadedScenarios): readonly Complaint[] {
    const files = new Map<string, Scenario>()
    for (const [name, scenario] of scenarios) {
      files.set(name, sameAs(this.#earlier.get(name), scenario))
    }
    for (const name of broken) {
      const lastGood = this.#earlier.get(name)
      if (lastGood !== undefined) files.set(name, lastGood)
    }
    this.#files = files
    this.#unlisted = unlisted
    this.#loaded = true
    this.#notes = notes
    return complaints
  }

  /** What is odd about the files that were read and can be used. */
  get notes(): readonly Complaint[] {
    return this.#notes
  }

  /** Those of files first. */
  all(): readonly Scenario[] {
    return [...this.#files.values(), ...this.#outcomes.values()]
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name)
  }
}

/** A scenario for each outcome and gateway status; one that was there before is the same. */
function outcomesOf(
  contracts: readonly Contract[],
  before: ReadonlyMap<string, Scenario>,
): ReadonlyMap<string, Scenario> {
  const scenarios = contracts.flatMap((contract) =>
    statusesOf(contract).map((status) => outcomeScenario(contract, status)),
  )
  const all = [...scenarios, ...gatewayScenarios]
  return new Map(all.map((scenario) => [scenario.name, sameAs(before.get(scenario.name), scenario)]))
}

/** A scenario, or the earlier one where it says the same: that one keeps its play. */
function sameAs(earlier: Scenario | undefined, scenario: Scenario): Scenario {
  return earlier !== undefined && textOf(earlier) === textOf(scenario) ? earlier : scenario
}

function textOf({ description, rules }: Scenario): string {
  return JSON.stringify([description, rules.map((rule) => ({ ...rule, on: rule.on && [...rule.on] }))])
}
