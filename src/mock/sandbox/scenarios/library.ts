import type { Contract } from '../../../../schemas/contract.js'
import { ScenarioDefinition } from '../../../../schemas/scenario.js'
import { type FileComplaint, InvalidFiles } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { requireSchema } from '../../validation/require-schema.js'
import { compileScenario, withExtended } from './compile.js'
import type { LoadedScenarios } from './load.js'
import { forcingScenarios, type Scenario } from './scenario.js'

/** Reads the scenario files; files may extend the outcomes that it is given. */
export type ReadScenarios = (outcome: (name: string) => Scenario | undefined) => Promise<LoadedScenarios>

/**
 * Scenarios by name. A server's library has those of its files, read on first use, and one for each outcome and
 * gateway status. A sandbox's library adds the scenarios that were defined in it.
 */
export class Library {
  readonly contracts: readonly Contract[]
  notes: readonly FileComplaint[] = []
  revision = 0
  #scenarios: Map<string, Scenario>
  #unlisted: LoadedScenarios['unlisted']
  #server: Library | undefined
  readonly #read: ReadScenarios | undefined
  #reading: Promise<readonly FileComplaint[]> | undefined

  private constructor(contracts: readonly Contract[], scenarios: Map<string, Scenario>, read?: ReadScenarios) {
    this.contracts = contracts
    this.#scenarios = scenarios
    this.#read = read
  }

  /** The library of a server. After an edit, `earlier` has the last good version of files that cannot be used. */
  static ofFiles(contracts: readonly Contract[], read: ReadScenarios, earlier?: Library): Library {
    if (earlier === undefined) return new Library(contracts, forcingScenarios(contracts), read)
    const library = new Library(contracts, earlier.#scenarios, read)
    library.#unlisted = earlier.#unlisted
    return library
  }

  forSandbox(): Library {
    const library = new Library(this.contracts, new Map())
    library.#server = this
    return library
  }

  use(server: Library): void {
    this.#server = server
    this.revision++
  }

  find(name: string): Scenario | undefined {
    return this.#scenarios.get(name) ?? this.#server?.find(name) ?? this.#unlisted?.(name)
  }

  /** Finds a scenario, and reads the files first if it may be one of theirs. */
  async get(name: string): Promise<Scenario | undefined> {
    const known = this.find(name)
    if (known?.forces === undefined) await this.load()
    return known ?? this.find(name)
  }

  all(): readonly Scenario[] {
    const others = this.#server?.all() ?? []
    return [...this.#scenarios.values(), ...others.filter(({ name }) => !this.#scenarios.has(name))]
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name)
  }

  unknown(name: string): string {
    return `There is no scenario ${quote(name)}.${didYouMean(name, this.names())} GET /__admin/scenarios lists them.`
  }

  /** Reads the files, once; resolves with the complaints about them. A folder that cannot be read leaves all as it was. */
  load(): Promise<readonly FileComplaint[]> {
    if (this.#server !== undefined) return this.#server.load()
    this.#reading ??= this.#readFiles()
    return this.#reading
  }

  async #readFiles(): Promise<readonly FileComplaint[]> {
    const earlier = this.#scenarios
    const outcomes = new Map([...earlier].filter(([, { forces }]) => forces !== undefined))
    try {
      const { scenarios, broken, complaints, notes, unlisted } = await this.#read!((name) => outcomes.get(name))
      // An unchanged scenario goes on from where its play is.
      const read = Array.from(scenarios, ([name, scenario]) => {
        const before = earlier.get(name)
        return [name, before !== undefined && textOf(before) === textOf(scenario) ? before : scenario] as const
      })
      const lastGood = [...earlier].filter(([name]) => broken.has(name))
      this.#scenarios = new Map([...read, ...lastGood, ...outcomes])
      this.#unlisted = unlisted
      this.notes = notes
      return complaints
    } catch (error) {
      if (error instanceof InvalidFiles) return error.complaints
      throw error
    }
  }

  /** @throws {InvalidFiles} with every complaint about the source or the name */
  async define(name: string, source: SourceFile): Promise<void> {
    await this.load()
    const refuse = async (message: string) => {
      throw new InvalidFiles([await source.complain([], message)])
    }
    if (this.find(name)?.forces !== undefined)
      await refuse(`The name ${quote(name)} is the name of an outcome: choose another one.`)
    if (!NAME.test(name))
      await refuse(
        `${quote(name)} is not a valid scenario name. Use 1 to 100 characters, without slashes or control characters, and do not begin with a dot.`,
      )
    const { rules, extends: base } = (source.data ?? {}) as ScenarioDefinition
    if (rules === undefined && base === undefined) {
      await requireSchema(source, ScenarioDefinition)
      await refuse("'rules' is missing: add a list of rules, or extend a scenario.")
    }
    const compiled = await compileScenario(source, this.contracts, ScenarioDefinition)
    const all = await withExtended(source, compiled, async (other) =>
      other === name
        ? `'extends' forms a circle: ${name} → ${name}.`
        : (this.find(other)?.rules ?? this.unknown(other)),
    )
    const { description = '' } = compiled.file
    this.#scenarios.set(name, { name, source: 'defined', description, rules: all })
    this.revision++
  }

  remove(name: string): boolean {
    this.revision++
    return this.#scenarios.delete(name)
  }

  clear(): void {
    this.#scenarios.clear()
    this.revision++
  }
}

function textOf({ description, rules }: Scenario): string {
  return JSON.stringify([description, rules])
}

const NAME = /^(?!\.)[^/\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]{1,100}$/u
