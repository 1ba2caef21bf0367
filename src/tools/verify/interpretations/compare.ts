import { isDeepStrictEqual as isSame } from 'node:util'
import { contractsOf } from '../../../engine/api.js'
import { isValid } from '../../../engine/contract/check.js'
import type { InterpretationCite } from '../../../engine/contract/cites.js'
import type { Contract } from '../../../engine/contract/contract.js'
import { isObject } from '../../../engine/contract/json.js'
import { defaultValues, describeSwitchValue, type SwitchValues } from '../../../engine/contract/switches.js'
import type { VerifyDefinition } from '../definition.js'
import type { Session, SwitchEvidence, SwitchResult } from '../session.js'

export class SwitchComparer {
  readonly #contracts: readonly Contract[]
  readonly #defaults: SwitchValues

  constructor(
    private readonly session: Session,
    private readonly definition: Pick<VerifyDefinition, 'switches'>,
  ) {
    this.#contracts = contractsOf(session.api)
    this.#defaults = defaultValues(session.api.switches)
  }

  compareAll(configured: SwitchValues): readonly SwitchResult[] {
    return this.session.api.interpretations.flatMap(({ id, switches = [] }) =>
      switches.map((name) => this.#compare(name, id, configured)),
    )
  }

  #compare(name: string, interpretation: InterpretationCite, configured: SwitchValues): SwitchResult {
    const evidence = this.session.evidence.filter((one) => one.name === name)
    const undecided = this.#whyUndecided(name, evidence)
    if (undecided !== undefined) {
      this.session.report('unchecked', [interpretation], { message: undecided })
      return { name, interpretation, evidence: [], value: configured[name], undecided }
    }
    for (const { contract, value, answer } of evidence) {
      const ours = this.#valueIn(configured, name, contract)
      const isEqual = isSame(value, ours)
      const message = `${describeSwitchValue(value)} at the provider, but ${describeSwitchValue(ours)} here: the answer is ${answer}.`
      const details = isEqual ? {} : { where: name, message, switch: name }
      this.session.report(isEqual ? 'ok' : 'differs', [interpretation], { operation: contract.id, ...details })
    }
    return { name, interpretation, evidence, value: this.#settingFor(name, evidence, configured) }
  }

  #valueIn(values: SwitchValues, name: string, contract: Contract): unknown {
    return this.definition.switches[name]?.expectedValue?.(contract, values, this.session.shapes) ?? values[name]
  }

  /** True if the provider answers as the mock does without this switch. */
  #isUnset(name: string, evidence: readonly SwitchEvidence[]): boolean {
    const isUnset = this.definition.switches[name]?.isUnset
    return isUnset !== undefined && evidence.every(isUnset)
  }

  #whyUndecided(name: string, evidence: readonly SwitchEvidence[]): string | undefined {
    const { api, allowWrites } = this.session
    if (evidence.length === 0)
      return `No call in this run shows ${name}.${allowWrites ? '' : ' --allow-writes sends more calls.'}`
    if (this.#isUnset(name, evidence) || this.definition.switches[name]?.mayDiffer !== undefined) return undefined
    const values = [...new Set(evidence.map(({ value }) => JSON.stringify(value)))]
    const schema = api.switches[name]?.schema
    const isAllowed = schema === undefined || isValid(schema, evidence[0]?.value)
    return values.length === 1 && isAllowed
      ? undefined
      : `The provider answered with ${values.join(', ')}: no value of ${name} does that.`
  }

  /** The value that imitates the provider. */
  #settingFor(name: string, evidence: readonly SwitchEvidence[], configured: SwitchValues): unknown {
    if (this.#isUnset(name, evidence)) return undefined
    const mayDiffer = this.definition.switches[name]?.mayDiffer
    if (mayDiffer === undefined) return evidence[0]?.value
    const values = this.#contracts.filter(mayDiffer).map((contract) => {
      const observed = evidence.find((one) => one.contract.id === contract.id)
      const value = observed?.value ?? this.#valueForOperation(configured[name], contract.id)
      return [contract.id, this.#isDefault(name, contract, value) ? undefined : value] as const
    })
    const [[, first] = []] = values
    if (values.every(([, value]) => isSame(value, first))) return first ?? this.#defaults[name]
    return Object.fromEntries(values.filter(([, value]) => value !== undefined))
  }

  #valueForOperation(value: unknown, id: string): unknown {
    const isByOperation = isObject(value) && this.#contracts.some((contract) => contract.id in value)
    return isByOperation ? value[id] : value
  }

  #isDefault(name: string, { id }: Contract, value: unknown): boolean {
    // The contracts of evidence have the configured switches applied.
    const defaultContract = this.#contracts.find((contract) => contract.id === id)
    const shownDefault = defaultContract && this.#valueIn(this.#defaults, name, defaultContract)
    return isSame(value, this.#defaults[name]) || isSame(value, shownDefault)
  }

  async configFile(date: Date): Promise<string> {
    const { stringify } = await import('../../../engine/files/yaml.js')
    const day = date.toISOString().slice(0, 'YYYY-MM-DD'.length)
    const lines = this.session.switches.flatMap(({ name, value, evidence, undecided }) => {
      if (value === undefined || isSame(value, this.#defaults[name])) return []
      const deviating = evidence.filter((one) => !this.#isDefault(name, one.contract, one.value))
      const comments = deviating.map(({ contract, answer }) => `# ${day}, ${contract.id}: ${answer}`)
      if (undecided !== undefined) comments.push('# From the configuration; not seen in this run.')
      const yaml = stringify({ [name]: value }).trimEnd()
      return [...comments, ...yaml.split('\n')].map((line) => `  ${line}`)
    })
    return ['version: 1', lines.length === 0 ? 'interpretations: {}' : 'interpretations:', ...lines, ''].join('\n')
  }
}
