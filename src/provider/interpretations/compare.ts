import { sampleBody } from '../../../schemas/bodies.js'
import { type Contract, isSuccess, statusesOf, successStatusOf } from '../../../schemas/contract.js'
import { contracts as documented } from '../../../schemas/contracts.js'
import { type InterpretationId, interpretations, type SwitchName } from '../../../schemas/interpretations.js'
import {
  defaultReadings,
  errorsAreOpen,
  isByOperation,
  MISSING_USER_TYPE,
  type Readings,
  statusIsOpen,
  switchText,
} from '../../../schemas/readings.js'
import { fill, type Template } from '../../../schemas/template.js'
import { isObject } from '../../text/json.js'
import { member, type Session } from '../session.js'
import { type Evidence, evidenceFor } from './evidence.js'
import { errorShape, isSame, linkTemplate } from './template-of.js'

export interface SwitchResult {
  readonly name: SwitchName
  readonly interpretation: InterpretationId
  /** By operation, where the switch has a value for each; none where it is undecided. */
  readonly evidence: readonly Evidence[]
  /** The value that the switch must have; undefined where it is the default, or undecided. */
  readonly value: unknown
  readonly undecided?: string
}

/** Notes where a provider shows other values of switches than those in force. */
export async function compareInterpretations(session: Session, inForce: Readings): Promise<readonly SwitchResult[]> {
  const results: SwitchResult[] = []
  for (const { id, ...one } of interpretations) {
    for (const name of 'switches' in one ? one.switches : []) {
      const evidence = await evidenceFor(name, session)
      const undecided = whyUndecided(session, name, evidence)
      if (undecided !== undefined) {
        session.add('unchecked', [id], { message: undecided })
        results.push({ name, interpretation: id, evidence: [], value: undefined, undecided })
        continue
      }
      compare(session, name, evidence, inForce, id)
      results.push({ name, interpretation: id, evidence, value: settingFor(session, name, evidence, inForce) })
    }
  }
  return results
}

function whyUndecided(
  { contracts, allowWrites }: Session,
  name: SwitchName,
  evidence: readonly Evidence[],
): string | undefined {
  if (evidence.length === 0) return `No call in this run shows ${name}${allowWrites ? '' : ', without --allow-writes'}.`
  if (BY_OPERATION[name] !== undefined || (name === 'missingUserType' && isUsual(contracts, evidence))) return undefined
  const values = [...new Set(evidence.map(({ value }) => JSON.stringify(value)))]
  const isAllowed = name !== 'missingUserType' || MISSING_USER_TYPE.some((status) => status === evidence[0]?.value)
  return values.length === 1 && isAllowed ? undefined : `No value of ${name} gives ${values.join(', ')}.`
}

/** Whether a missing user type is answered like everything that is invalid: that is the default. */
function isUsual(contracts: readonly Contract[], evidence: readonly Evidence[]): boolean {
  return evidence.every(({ operation, value }) => contracts.find(({ id }) => id === operation)?.invalid === value)
}

/** Notes whether each operation shows the value in force. */
function compare(
  session: Session,
  name: SwitchName,
  all: readonly Evidence[],
  inForce: Readings,
  id: InterpretationId,
) {
  for (const { operation, value, shown } of all) {
    const contract = session.contracts.find((one) => one.id === operation) as Contract
    const theirs = name === 'missingUserType' && isUsual(session.contracts, all) ? undefined : value
    const ours = valueInForce(contract, name, inForce)
    const isAlike = isSame(theirs, ours) || isSame(value, ours)
    const message = `${switchText(theirs)} there, but ${switchText(ours)} here: the answer is ${shown}.`
    const found = isAlike ? {} : { where: name, message, switch: name }
    session.add(isAlike ? 'ok' : 'differs', [id], { operation, ...found })
  }
}

/** The value of a switch for one operation; templates as the provider's would be seen. */
function valueInForce(contract: Contract, name: SwitchName, inForce: Readings): unknown {
  if (name === 'errorBody') {
    const errors = statusesOf(contract).filter((status) => !isSuccess(contract.responses[status]))
    return errorShape(errors.map((status) => ({ status, body: sampleBody(contract, status) })))
  }
  if (name === 'signingLinkBody') return seenLinkTemplate(inForce.signingLinkBody)
  if (name === 'successStatus') return successStatusOf(contract)
  if (name === 'successWords') return { status: member(sampleBody(contract, successStatusOf(contract)), 'status') }
  return inForce[name]
}

function seenLinkTemplate(template: Template): Template {
  const known = { link: 'https://x.example.test/1', project_uuid: 'the-project', email: 'someone@example.test' }
  return linkTemplate(fill(template, { ...known, created_at: '2026-01-15T09:30:00.000Z' }), known)
}

const all: readonly Contract[] = documented
const BY_OPERATION: Partial<Record<SwitchName, readonly Contract[]>> = {
  successStatus: all.filter(statusIsOpen),
  errorBody: all.filter(errorsAreOpen),
  successWords: all,
}

/** The value of a switch that gives what was seen; operations that were not seen stay as they are configured. */
function settingFor(
  { contracts }: Session,
  name: SwitchName,
  evidence: readonly Evidence[],
  inForce: Readings,
): unknown {
  if (name === 'missingUserType' && isUsual(contracts, evidence)) return undefined
  const operations = BY_OPERATION[name]
  if (operations === undefined) return evidence[0]?.value
  const now: unknown = inForce[name]
  const isByOperationNow = isObject(now) && (name !== 'errorBody' || isByOperation(now))
  const values = operations.map(({ id }) => {
    const seen = evidence.find(({ operation }) => operation === id)
    const value = seen?.value ?? (isByOperationNow ? now[id] : now)
    return [id, isSame(value, defaultReadings[name]) ? undefined : value] as const
  })
  const [[, first] = []] = values
  if (name !== 'successWords' && values.every(([, value]) => isSame(value, first)))
    return first ?? defaultReadings[name]
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** The interpretations with which the mock does as the provider does: a config file, in YAML. */
export async function interpretationsFile(
  results: readonly SwitchResult[],
  inForce: Readings,
  date: Date,
): Promise<string> {
  const { stringify } = await import('../../text/yaml.js')
  const day = date.toISOString().slice(0, 'YYYY-MM-DD'.length)
  const lines = results.flatMap(({ name, value, evidence, undecided }) => {
    const setting = undecided === undefined ? value : inForce[name]
    if (setting === undefined || isSame(setting, defaultReadings[name])) return []
    const seen = evidence.filter((one) => !isSame(one.value, defaultReadings[name]))
    const comments = seen.map(({ operation, shown }) => `# ${day}, ${operation}: ${shown}`)
    if (undecided !== undefined) comments.push('# From the configuration; not seen in this run.')
    return [
      ...comments,
      ...stringify({ [name]: setting })
        .trimEnd()
        .split('\n'),
    ].map((line) => `  ${line}`)
  })
  return ['version: 1', lines.length === 0 ? 'interpretations: {}' : 'interpretations:', ...lines, ''].join('\n')
}
