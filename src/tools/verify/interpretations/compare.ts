import { isDeepStrictEqual as isSame } from 'node:util'
import { contracts as documented } from '../../../../schemas/contracts.js'
import { type InterpretationId, interpretations, type SwitchName } from '../../../../schemas/interpretations.js'
import {
  defaultSwitches,
  errorsAreOpen,
  isByOperation,
  MISSING_USER_TYPE,
  type Switches,
  statusIsOpen,
  switchText,
  wordsOf,
} from '../../../api/switches.js'
import { bodySchema, sampleBody } from '../../../engine/contract/bodies.js'
import { citesOf, statementsIn } from '../../../engine/contract/cites.js'
import { type Contract, isSuccess, statusesOf, successStatusOf } from '../../../engine/contract/contract.js'
import { isObject } from '../../../engine/contract/json.js'
import { partsOf } from '../judge-body.js'
import { knowledge } from '../knowledge.js'
import type { Session, SwitchEvidence, SwitchResult } from '../session.js'
import { member, type TestedOperation } from '../tested-operation.js'
import { errorShape, isApiWord } from './shapes.js'

const all: readonly Contract[] = documented

/** The switches that each of some operations may set. */
const BY_OPERATION: Partial<Record<SwitchName, readonly Contract[]>> = {
  errorBody: all.filter(errorsAreOpen),
  successStatus: all.filter(statusIsOpen),
  successWords: all,
}

/** Notes the values of switches that only all answers of an operation show. */
export function compareAnswers(on: TestedOperation): void {
  const { contract, session } = on
  const answers = session.sender.answersOf(contract)
  const errors = answers.filter(({ status, body }) => status >= 400 && isObject(body))
  if (errors[0] !== undefined && errorsAreOpen(contract)) on.sees('errorBody', errors[0], errorShape(errors))
  const successes = answers.filter(({ ok }) => ok)
  const [success] = successes
  if (success === undefined) return
  const status = onlyValue(successes.map((one) => one.status))
  if (statusIsOpen(contract) && (status === 200 || status === 201)) on.sees('successStatus', success, status)
  const word = onlyValue(successes.map(({ body }) => member(body, 'status')))
  const isWord = typeof word === 'string' && (isApiWord(word) || /^(?:[a-z_-]{2,24}|[A-Z_-]{2,24})$/.test(word))
  if (isWord && wordsOf(contract).includes('status')) on.sees('successWords', success, { status: word })
  const times = successes.flatMap(({ body }) => documentedTimesIn(contract, body))
  if (times.length === 0) return
  if (times.every((one) => /:\d\dZ$/.test(one))) on.sees('timestamps', success, 'seconds')
  if (times.every((one) => /\.\d{3}Z$/.test(one))) on.sees('timestamps', success, 'milliseconds')
}

/** Of other times, the API document does not say that they are shown. */
function documentedTimesIn(contract: Contract, body: unknown): readonly string[] {
  return partsOf(bodySchema(contract, successStatusOf(contract)), body).flatMap(({ schema, value }) => {
    const isDocumented = schema?.format === 'date-time' && statementsIn(citesOf(schema, 'format')).length > 0
    return isDocumented && typeof value === 'string' ? [value] : []
  })
}

function onlyValue(values: readonly unknown[]): unknown {
  return new Set(values).size === 1 ? values[0] : undefined
}

/** The value in force for an operation, in the form in which answers show it. */
const IN_FORCE: Partial<Record<SwitchName, (contract: Contract, inForce: Switches) => unknown>> = {
  errorBody(contract) {
    const errors = statusesOf(contract).filter((status) => !isSuccess(contract.responses[status]))
    return errorShape(errors.map((status) => ({ status, body: sampleBody(contract, status) })))
  },
  successStatus: successStatusOf,
  successWords: (contract) => ({ status: member(sampleBody(contract, successStatusOf(contract)), 'status') }),
  missingUserType: ({ invalid }, { missingUserType = invalid }) => missingUserType,
}

const valueIn = (switches: Switches, name: SwitchName, contract: Contract) =>
  IN_FORCE[name]?.(contract, switches) ?? knowledge[contract.id]?.inForce?.[name]?.(switches) ?? switches[name]

export function compareInterpretations(session: Session, inForce: Switches): readonly SwitchResult[] {
  return interpretations.flatMap(({ id, switches = [] }) =>
    switches.map((name) => compareSwitch(name, id, session, inForce)),
  )
}

function compareSwitch(name: SwitchName, interpretation: InterpretationId, session: Session, inForce: Switches) {
  const evidence = session.seen.filter((one) => one.name === name)
  const undecided = whyUndecided(name, evidence, session)
  if (undecided !== undefined) {
    session.add('unchecked', [interpretation], { message: undecided })
    return { name, interpretation, evidence: [], value: inForce[name], undecided }
  }
  for (const { contract, value, shown } of evidence) {
    const ours = valueIn(inForce, name, contract)
    const isAlike = isSame(value, ours)
    const message = `${switchText(value)} there, but ${switchText(ours)} here: the answer is ${shown}.`
    const found = isAlike ? {} : { where: name, message, switch: name }
    session.add(isAlike ? 'ok' : 'differs', [interpretation], { operation: contract.id, ...found })
  }
  return { name, interpretation, evidence, value: settingFor(name, evidence, inForce) }
}

/** Without a value of `missingUserType`, each operation gives its own status for an invalid call. */
const isUnset = (name: SwitchName, evidence: readonly SwitchEvidence[]) =>
  name === 'missingUserType' && evidence.every(({ contract, value }) => contract.invalid === value)

function whyUndecided(name: SwitchName, evidence: readonly SwitchEvidence[], { allowWrites }: Session) {
  if (evidence.length === 0) return `No call in this run shows ${name}${allowWrites ? '' : ', without --allow-writes'}.`
  if (isUnset(name, evidence) || BY_OPERATION[name] !== undefined) return undefined
  const values = [...new Set(evidence.map(({ value }) => JSON.stringify(value)))]
  const isAllowed = name !== 'missingUserType' || MISSING_USER_TYPE.some((status) => status === evidence[0]?.value)
  return values.length === 1 && isAllowed ? undefined : `No value of ${name} gives ${values.join(', ')}.`
}

function settingFor(name: SwitchName, evidence: readonly SwitchEvidence[], inForce: Switches): unknown {
  if (isUnset(name, evidence)) return undefined
  const operations = BY_OPERATION[name]
  if (operations === undefined) return evidence[0]?.value
  const now: unknown = inForce[name]
  const values = operations.map(({ id }) => {
    const seen = evidence.find(({ contract }) => contract.id === id)
    const value = seen?.value ?? (isObject(now) && isByOperation(now) ? now[id] : now)
    return [id, isUsual(name, id, value) ? undefined : value] as const
  })
  const [[, first] = []] = values
  if (values.every(([, value]) => isSame(value, first))) return first ?? defaultSwitches[name]
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** True for what the mock does without a config file. */
function isUsual(name: SwitchName, operation: string, value: unknown): boolean {
  const contract = all.find(({ id }) => id === operation) as Contract
  return [defaultSwitches[name], valueIn(defaultSwitches, name, contract)].some((one) => isSame(one, value))
}

/** The interpretations with which the mock does as the provider does: a config file, in YAML. */
export async function interpretationsFile(results: readonly SwitchResult[], date: Date) {
  const { stringify } = await import('../../../engine/files/yaml.js')
  const day = date.toISOString().slice(0, 'YYYY-MM-DD'.length)
  const lines = results.flatMap(({ name, value, evidence, undecided }) => {
    if (value === undefined || isSame(value, defaultSwitches[name])) return []
    const seen = evidence.filter((one) => !isUsual(name, one.contract.id, one.value))
    const comments = seen.map(({ contract, shown }) => `# ${day}, ${contract.id}: ${shown}`)
    if (undecided !== undefined) comments.push('# From the configuration; not seen in this run.')
    const yaml = stringify({ [name]: value }).trimEnd()
    return [...comments, ...yaml.split('\n')].map((line) => `  ${line}`)
  })
  return ['version: 1', lines.length === 0 ? 'interpretations: {}' : 'interpretations:', ...lines, ''].join('\n')
}
