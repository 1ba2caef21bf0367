import { ScenarioDefinition } from '../../../schemas/scenario.js'
import { UnusableFiles } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { requireSchema } from '../../validation/explain.js'
import { compileScenario, withExtended } from './compile.js'
import type { Library } from './library.js'
import type { Scenario } from './scenario.js'

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

  /** Among those that were read and defined. */
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

  /** Those that were defined first, outcomes and gateway statuses last. */
  all(): readonly Scenario[] {
    return [...this.#defined.values(), ...this.#shared.all().filter(({ name }) => !this.#defined.has(name))]
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name)
  }

  /** That there is no scenario of a name. */
  unknown(name: string): string {
    return `There is no scenario ${quote(name)}.${didYouMean(name, this.names())} GET /__admin/scenarios lists them.`
  }

  /**
   * Defines a scenario, or replaces it, by what a source says of it.
   * @throws {UnusableFiles} with every complaint, where there is no room for it, and for a name that cannot be had
   */
  async define(name: string, source: SourceFile): Promise<void> {
    await this.load()
    const refuse = async (message: string) => {
      throw new UnusableFiles([await source.complain('name', [], message)])
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
