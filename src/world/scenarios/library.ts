import type { Contract } from '../../../schemas/contract.js'
import { type Complaint, UnusableFiles } from '../../text/invalid-files.js'
import type { LoadedScenarios } from './load.js'
import { forcingScenarios, type Scenario } from './scenario.js'

/** Reads the scenario files; files may extend the outcomes that it is given. */
export type ReadScenarios = (outcome: (name: string) => Scenario | undefined) => Promise<LoadedScenarios>

/** Every scenario there is: those of files, read when one is first wanted, and one for each outcome and gateway status. */
export class Library {
  readonly contracts: readonly Contract[]
  notes: readonly Complaint[] = []
  readonly #read: ReadScenarios
  readonly #forcing: ReadonlyMap<string, Scenario>
  /** Before they are read, those of the library before the edit. */
  #files: ReadonlyMap<string, Scenario>
  #unlisted: LoadedScenarios['unlisted']
  #reading: Promise<readonly Complaint[]> | undefined

  constructor(contracts: readonly Contract[], read: ReadScenarios, earlier?: Library) {
    this.contracts = contracts
    this.#read = read
    this.#forcing = earlier === undefined ? forcingScenarios(contracts) : earlier.#forcing
    this.#files = earlier === undefined ? new Map() : earlier.#files
    this.#unlisted = earlier === undefined ? undefined : earlier.#unlisted
  }

  /** The library after an edit: a file that has become unusable keeps its last good version, an unchanged one its play. */
  edited(read: ReadScenarios): Library {
    return new Library(this.contracts, read, this)
  }

  /** Among those that were read. */
  find(name: string): Scenario | undefined {
    return this.#forcing.get(name) ?? this.#files.get(name) ?? this.#unlisted?.(name)
  }

  /** Reads the files, once; resolves with the complaints about them. A folder that cannot be read leaves all as it was. */
  load(): Promise<readonly Complaint[]> {
    this.#reading ??= this.#read((name) => this.#forcing.get(name)).then(
      (loaded) => this.#adopt(loaded),
      (error) => {
        if (error instanceof UnusableFiles) return error.complaints
        throw error
      },
    )
    return this.#reading
  }

  #adopt({ scenarios, broken, complaints, notes, unlisted }: LoadedScenarios): readonly Complaint[] {
    const earlier = this.#files
    const lastGood = [...earlier].filter(([name]) => broken.has(name))
    const read = Array.from(scenarios, ([name, scenario]) => {
      const before = earlier.get(name)
      return [name, before !== undefined && textOf(before) === textOf(scenario) ? before : scenario] as const
    })
    this.#files = new Map([...read, ...lastGood])
    this.#unlisted = unlisted
    this.notes = notes
    return complaints
  }

  /** Those of files first. */
  all(): readonly Scenario[] {
    return [...this.#files.values(), ...this.#forcing.values()]
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name)
  }
}

/** What a scenario says; functions are left out. */
function textOf({ description, rules }: Scenario): string {
  return JSON.stringify([description, rules])
}
