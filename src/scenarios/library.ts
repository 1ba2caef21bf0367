import type { Contract } from '../../schemas/contract.js'
import { statusesOf } from '../../schemas/contract.js'
import { outcomeScenario, type Scenario } from './scenario.js'

/** Every scenario there is: those of files, and one for each outcome. */
export class Library {
  readonly #outcomes: ReadonlyMap<string, Scenario>
  #files: ReadonlyMap<string, Scenario> = new Map()
  readonly #read: () => Promise<ReadonlyMap<string, Scenario>>
  #reading: Promise<void> | undefined

  /** `read` loads the files when a scenario of a file is first wanted. */
  constructor(
    contracts: readonly Contract[],
    read: () => Promise<ReadonlyMap<string, Scenario>> = async () => new Map(),
  ) {
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
    return !this.#outcomes.has(name) && this.#reading === undefined
  }

  /** Reads the files, once. */
  load(): Promise<void> {
    this.#reading ??= this.reload()
    return this.#reading
  }

  /** Reads the files again. */
  async reload(): Promise<void> {
    this.#files = await this.#read()
  }

  /** Those of files first. */
  all(): readonly Scenario[] {
    return [...this.#files.values(), ...this.#outcomes.values()]
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name)
  }
}
