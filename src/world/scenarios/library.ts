import type { Contract } from '../../../schemas/contract.js'
import { ScenarioDefinition } from '../../../schemas/scenario.js'
import { type FileComplaint, InvalidFiles } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { requireSchema } from '../../validation/require-schema.js'
import { compileScenario, withExtended } from './compile.js'
import type { LoadedScenarios } from './load.js'
import { forcingScenarios, type Scenario } from './scenario.js'

/** Reads the scenario files; files may extend the outcomes that it is given. */
export type ReadScenarios = (outcome: (name: string) => Scenario | undefined) => Promise<LoadedScenarios>

/** Every scenario there is: those of files, read when one is first wanted, and one for each outcome and gateway status. */
export class Library {
  readonly contracts: readonly Contract[]
  notes: readonly FileComplaint[] = []
  readonly #read: ReadScenarios
  readonly #forcing: ReadonlyMap<string, Scenario>
  /** Before they are read, those of the library before the edit. */
  #files: ReadonlyMap<string, Scenario>
  #unlisted: LoadedScenarios['unlisted']
  #reading: Promise<readonly FileComplaint[]> | undefined

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

  find(name: string): Scenario | undefined {
    return this.#forcing.get(name) ?? this.#files.get(name) ?? this.#unlisted?.(name)
  }

  /** Reads the files, once; resolves with the complaints about them. A folder that cannot be read leaves all as it was. */
  load(): Promise<readonly FileComplaint[]> {
    this.#reading ??= this.#read((name) => this.#forcing.get(name)).then(
      (loaded) => this.#adopt(loaded),
      (error) => {
        if (error instanceof InvalidFiles) return error.complaints
        throw error
      },
    )
    return this.#reading
  }

  #adopt({ scenarios, broken, complaints, notes, unlisted }: LoadedScenarios): readonly FileComplaint[] {
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

  all(): readonly Scenario[] {
    return [...this.#files.values(), ...this.#forcing.values()]
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name)
  }
}

function textOf({ description, rules }: Scenario): string {
  return JSON.stringify([description, rules])
}

/** The scenarios of one world: those that all worlds share, and over them those that were defined in it. */
export class WorldLibrary {
  #shared: Library
  readonly #defined = new Map<string, Scenario>()
  /** Grows with each change. */
  revision = 0

  constructor(shared: Library) {
    this.#shared = shared
  }

  use(shared: Library): void {
    this.#shared = shared
    this.revision++
  }

  find(name: string): Scenario | undefined {
    return this.#defined.get(name) ?? this.#shared.find(name)
  }

  /** Reads the files first, where it may be one of theirs. */
  async get(name: string): Promise<Scenario | undefined> {
    const known = this.find(name)
    if (known?.forces === undefined) await this.load()
    return known ?? this.find(name)
  }

  async load(): Promise<void> {
    await this.#shared.load()
  }

  all(): readonly Scenario[] {
    return [...this.#defined.values(), ...this.#shared.all().filter(({ name }) => !this.#defined.has(name))]
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name)
  }

  unknown(name: string): string {
    return `There is no scenario ${quote(name)}.${didYouMean(name, this.names())} GET /__admin/scenarios lists them.`
  }

  /**
   * Defines a scenario, or replaces it, by what a source says of it.
   * @throws {InvalidFiles} with every complaint, where there is no room for it, and for a name that cannot be had
   */
  async define(name: string, source: SourceFile): Promise<void> {
    await this.load()
    const refuse = async (message: string) => {
      throw new InvalidFiles([await source.complain('name', [], message)])
    }
    if (this.#shared.find(name)?.forces !== undefined)
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
    const compiled = await compileScenario(source, this.#shared.contracts, ScenarioDefinition)
    const all = await withExtended(source, compiled, async (other) =>
      other === name
        ? `'extends' forms a circle: ${name} → ${name}.`
        : (this.find(other)?.rules ?? this.unknown(other)),
    )
    this.#defined.set(name, { name, source: 'defined', description: compiled.file.description ?? '', rules: all })
    this.revision++
  }

  /** Removes a scenario that was defined here; what it hid shows again. False where there is none. */
  remove(name: string): boolean {
    this.revision++
    return this.#defined.delete(name)
  }

  clear(): void {
    this.#defined.clear()
    this.revision++
  }
}

/** What a file could be called, too. */
const NAME = /^(?!\.)[^/\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]{1,100}$/u
