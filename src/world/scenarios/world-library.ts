import type { TSchema } from '@sinclair/typebox'
import { UnusableFiles } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { compileScenario } from './compile.js'
import { extendedRules } from './extended-rules.js'
import type { Library } from './library.js'
import type { Scenario } from './scenario.js'

/** Scenarios that may be defined in one world. */
const MOST_DEFINED = 1_000

/** The scenarios of one world: those that all worlds share, and over them those that were defined in it. */
export class WorldLibrary {
  #shared: Library
  #defined: ReadonlyMap<string, Scenario> = new Map()
  #revision = 0

  constructor(shared: Library) {
    this.#shared = shared
  }

  /** Grows with each change. */
  get revision(): number {
    return this.#revision
  }

  /** What all worlds share after an edit. */
  use(shared: Library): void {
    this.#shared = shared
    this.#revision++
  }

  find(name: string): Scenario | undefined {
    return this.#defined.get(name) ?? this.#shared.find(name)
  }

  /** Whether a name can only be known once the files are read. */
  needsFilesFor(name: string): boolean {
    return !this.#defined.has(name) && this.#shared.needsFilesFor(name)
  }

  /** Reads the files, once. */
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

  /**
   * Defines or replaces a scenario by what a file of its name would hold, or by what `schema` says.
   * @throws {InvalidFiles} with every complaint, where there is no room for it, and for a name that cannot be had
   */
  async define(name: string, source: SourceFile, schema?: TSchema): Promise<void> {
    await this.#shared.load()
    await this.#requireName(name, source)
    const compiled = await compileScenario(source, this.#shared.contracts, schema)
    const rules = await extendedRules(source, compiled, async (other, at) => {
      const found = other === name ? undefined : this.find(other)
      if (found !== undefined) return found.rules
      throw new UnusableFiles([await source.complain('reference', ['extends', at], this.#why(name, other))])
    })
    const scenario: Scenario = {
      name,
      source: 'defined',
      description: compiled.file.description ?? '',
      rules,
    }
    if (this.#defined.size >= MOST_DEFINED && !this.#defined.has(name))
      throw new UnusableFiles([await source.complain('too-large', [], NO_ROOM)])
    this.#keep(new Map([...this.#defined, [name, scenario]]))
  }

  /** Removes a scenario that was defined here; what it hid shows again. */
  remove(name: string): boolean {
    if (!this.#defined.has(name)) return false
    this.#keep(new Map([...this.#defined].filter(([one]) => one !== name)))
    return true
  }

  /** Forgets what was defined, when the world is reset. */
  clear(): void {
    this.#keep(new Map())
  }

  #keep(defined: ReadonlyMap<string, Scenario>): void {
    this.#defined = defined
    this.#revision++
  }

  async #requireName(name: string, source: SourceFile): Promise<void> {
    const message = this.#shared.find(name)?.forces !== undefined ? isTaken : NAME.test(name) ? undefined : isNoName
    if (message === undefined) return
    throw new UnusableFiles([await source.complain('name', [], message(quote(name)))])
  }

  #why(name: string, other: string): string {
    if (other === name) return `'extends' forms a circle: ${name} → ${name}.`
    return `There is no scenario ${quote(other)}.${didYouMean(other, this.names())}`
  }
}

/** What a file could be called, too. */
const NAME = /^(?!\.)[^/\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]{1,100}$/u
const isNoName = (name: string) =>
  `${name} is not a valid scenario name. Use 1 to 100 characters, without slashes or control characters, and do not begin with a dot.`
const isTaken = (name: string) => `The name ${name} is the name of an outcome: choose another one.`

const NO_ROOM = `The world already has ${MOST_DEFINED} scenarios that were defined in it. Delete one, or reset the world.`
