import { quote } from '../../contract/wording.js'
import type { ScenarioDefinition, ScenarioFormat } from '../../files/scenario.js'
import { invalidAt, type SourceFile } from '../../files/source-file.js'
import { validateSource } from '../../files/validate-source.js'
import { addInheritedRules, compileScenario } from './compile.js'
import { describeUnknownScenario, isSameDefinition, type Scenario } from './scenario.js'

/** Finds a scenario that lists do not show. */
export type FindUnlisted = (name: string) => Scenario | undefined

export class ScenarioLibrary {
  constructor(
    readonly format: ScenarioFormat,
    private readonly scenarios: ReadonlyMap<string, Scenario>,
    private readonly findUnlisted: FindUnlisted = () => undefined,
  ) {}

  find(name: string): Scenario | undefined {
    return this.scenarios.get(name.normalize()) ?? this.findUnlisted(name)
  }

  all(): readonly Scenario[] {
    return [...this.scenarios.values()]
  }
}

export class SandboxLibrary {
  readonly #defined = new Map<string, Scenario>()

  constructor(
    private serverLibrary: ScenarioLibrary,
    private readonly changed: () => void,
  ) {}

  use(serverLibrary: ScenarioLibrary): void {
    this.serverLibrary = serverLibrary
    // The file of a saved definition replaces it.
    for (const [name, scenario] of this.#defined) {
      const file = serverLibrary.find(name)
      if (file?.source === 'file' && isSameDefinition(file, scenario)) this.#defined.delete(name)
    }
    this.changed()
  }

  find(name: string): Scenario | undefined {
    return this.#defined.get(name.normalize()) ?? this.serverLibrary.find(name)
  }

  all(): readonly Scenario[] {
    const others = this.serverLibrary.all().filter(({ name }) => !this.#defined.has(name))
    return [...this.#defined.values(), ...others]
  }

  describeUnknown(name: string): string {
    const names = this.all().map((scenario) => scenario.name)
    return `${describeUnknownScenario(name, names)} GET /__admin/scenarios lists them.`
  }

  async define(name: string, source: SourceFile): Promise<void> {
    this.#defined.set(name.normalize(), await this.check(name, source))
    this.changed()
  }

  /** @throws {InvalidFiles} with every complaint about the source or the name */
  async check(name: string, source: SourceFile): Promise<Scenario> {
    const reservedName = `The name ${quote(name)} is reserved for an outcome. Choose another scenario name.`
    if (this.find(name)?.forces !== undefined) throw await invalidAt(source, [], reservedName)
    const invalidName = `${quote(name)} is not a valid scenario name. Use 1 to 100 characters, without slashes, control or invisible characters, and do not begin with a dot.`
    if (!NAME.test(name)) throw await invalidAt(source, [], invalidName)
    const { rules, extends: base } = (source.data ?? {}) as ScenarioDefinition
    if (rules === undefined && base === undefined) {
      await validateSource(source, this.serverLibrary.format.definition)
      throw await invalidAt(source, [], "'rules' is missing: add a list of rules, or extend a scenario.")
    }
    const compiled = await compileScenario(source, this.serverLibrary.format, 'definition')
    const all = await addInheritedRules(source, compiled, async (other) =>
      other === name.normalize()
        ? `'extends' forms a circle: ${name} → ${name}.`
        : (this.find(other)?.rules ?? this.describeUnknown(other)),
    )
    const { description = '', offWhenSpent }: ScenarioDefinition = compiled.file
    return { name, source: 'defined', description, rules: all, offWhenSpent }
  }

  remove(name: string): boolean {
    const isRemoved = this.#defined.delete(name.normalize())
    if (isRemoved) this.changed()
    return isRemoved
  }

  clear(): void {
    this.#defined.clear()
    this.changed()
  }
}

const NAME = /^(?!\.)[^/\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]{1,100}$/u
