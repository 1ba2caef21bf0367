import { isDeepStrictEqual as isSame } from 'node:util'
import { sampleBody } from '../../../schemas/bodies.js'
import { type Contract, isSuccess as isSuccessful, statusesOf, successStatusOf } from '../../../schemas/contract.js'
import { contracts as documented } from '../../../schemas/contracts.js'
import { type InterpretationId, interpretations, type SwitchName } from '../../../schemas/interpretations.js'
import {
  defaultSwitches,
  errorsAreOpen,
  isByOperation,
  MISSING_USER_TYPE,
  type Switches,
  statusIsOpen,
  switchText,
  wordsOf,
} from '../../../schemas/switches.js'
import { fill } from '../../../schemas/template.js'
import { isObject } from '../../text/json.js'
import type { Answer } from '../sender.js'
import { isSuccess, items, member, type Session } from '../session.js'
import { errorShape, linkTemplate } from './template-of.js'
import { isApiWord, shapeText } from './words.js'

/** An answer that shows the value of a switch: its status and shape, and never its data. */
interface Evidence {
  readonly operation: string
  readonly value: unknown
  /** Such as `404 {error: {code: integer, message: text}}`. */
  readonly shown: string
}

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
export function compareInterpretations(session: Session, inForce: Switches): readonly SwitchResult[] {
  const named = interpretations.flatMap(({ id, ...one }) =>
    ('switches' in one ? one.switches : []).map((name) => [id, name] as const),
  )
  return named.map(([interpretation, name]) => {
    const evidence = evidenceFor(name, session)
    // A missing user type that is answered like everything that is invalid is the default.
    const isUsual =
      name === 'missingUserType' &&
      evidence.every(({ operation, value }) => contractOf(session, operation).invalid === value)
    const undecided = isUsual && evidence.length > 0 ? undefined : whyUndecided(session, name, evidence)
    if (undecided !== undefined) {
      session.add('unchecked', [interpretation], { message: undecided })
      return { name, interpretation, evidence: [], value: undefined, undecided }
    }
    for (const { operation, value, shown } of evidence) {
      const theirs = isUsual ? undefined : value
      const ours = valueInForce(contractOf(session, operation), name, inForce)
      const isAlike = isSame(theirs, ours) || isSame(value, ours)
      const message = `${switchText(theirs)} there, but ${switchText(ours)} here: the answer is ${shown}.`
      const found = isAlike ? {} : { where: name, message, switch: name }
      session.add(isAlike ? 'ok' : 'differs', [interpretation], { operation, ...found })
    }
    return { name, interpretation, evidence, value: isUsual ? undefined : settingFor(name, evidence, inForce) }
  })
}

const contractOf = ({ contracts }: Session, operation: string) =>
  contracts.find(({ id }) => id === operation) as Contract

/** What was seen of a switch: by the checks, or in all answers. */
function evidenceFor(name: SwitchName, { seen, contracts, sender }: Session): readonly Evidence[] {
  const read = IN_ALL_ANSWERS[name]
  if (read === undefined) return (seen.get(name) ?? []).map(({ answer, value }) => evidenceOf(answer, value))
  return contracts.flatMap((contract) => {
    const answers = sender.answersOf(contract)
    const value = read(answers, contract)
    const telling = answers.find((one) => isSuccess(one) === (name !== 'errorBody'))
    return telling === undefined || value === undefined ? [] : [evidenceOf(telling, value)]
  })
}

function evidenceOf({ status, body, call }: Answer, value: unknown): Evidence {
  const shown = body === undefined ? `${status}` : `${status} ${shapeText(body)}`
  return { operation: call.contract.id, value, shown }
}

const IN_ALL_ANSWERS: Partial<Record<SwitchName, (all: readonly Answer[], contract: Contract) => unknown>> = {
  errorBody: (all, contract) => {
    const errors = all.filter(({ status, body }) => status >= 400 && isObject(body))
    return errorsAreOpen(contract) && errors.length > 0 ? errorShape(errors) : undefined
  },
  successStatus: (all, contract) => {
    const [status, ...others] = new Set(all.filter(isSuccess).map((one) => one.status))
    const isClear = statusIsOpen(contract) && (status === 200 || status === 201) && others.length === 0
    return isClear ? status : undefined
  },
  successWords: (all, contract) => {
    const [status, ...others] = new Set(all.filter(isSuccess).map(({ body }) => member(body, 'status')))
    if (!wordsOf(contract).includes('status') || others.length > 0 || typeof status !== 'string') return undefined
    return isApiWord(status) || /^(?:[a-z_-]{2,24}|[A-Z_-]{2,24})$/.test(status) ? { status } : undefined
  },
  timestamps: (all) => {
    const times = all
      .filter(isSuccess)
      .flatMap(({ body }) => [
        member(body, 'document', 'verified_at'),
        ...items(member(body, 'histories')).map((one) => member(one, 'created_at')),
      ])
    const texts = times.filter((one) => typeof one === 'string')
    if (texts.length === 0) return undefined
    if (texts.every((one) => /:\d\dZ$/.test(one))) return 'seconds'
    return texts.every((one) => /\.\d{3}Z$/.test(one)) ? 'milliseconds' : undefined
  },
}

function whyUndecided({ allowWrites }: Session, name: SwitchName, all: readonly Evidence[]): string | undefined {
  if (all.length === 0) return `No call in this run shows ${name}${allowWrites ? '' : ', without --allow-writes'}.`
  if (BY_OPERATION[name] !== undefined) return undefined
  const values = [...new Set(all.map(({ value }) => JSON.stringify(value)))]
  const isAllowed = name !== 'missingUserType' || MISSING_USER_TYPE.some((status) => status === all[0]?.value)
  return values.length === 1 && isAllowed ? undefined : `No value of ${name} gives ${values.join(', ')}.`
}

/** The value of a switch for one operation; templates as the provider's would be seen. */
function valueInForce(contract: Contract, name: SwitchName, inForce: Switches): unknown {
  const success = successStatusOf(contract)
  if (name === 'successStatus') return success
  if (name === 'successWords') return { status: member(sampleBody(contract, success), 'status') }
  if (name === 'signingLinkBody') {
    const known = { link: 'https://x.example.test/1', project_uuid: 'the-project', email: 'someone@example.test' }
    return linkTemplate(fill(inForce[name], { ...known, created_at: '2026-01-15T09:30:00.000Z' }), known)
  }
  if (name !== 'errorBody') return inForce[name]
  const errors = statusesOf(contract).filter((status) => !isSuccessful(contract.responses[status]))
  return errorShape(errors.map((status) => ({ status, body: sampleBody(contract, status) })))
}

const all: readonly Contract[] = documented
const BY_OPERATION: Partial<Record<SwitchName, readonly Contract[]>> = {
  successStatus: all.filter(statusIsOpen),
  errorBody: all.filter(errorsAreOpen),
  successWords: all,
}

/** The value of a switch that gives what was seen; operations that were not seen stay as they are configured. */
function settingFor(name: SwitchName, evidence: readonly Evidence[], inForce: Switches): unknown {
  const operations = BY_OPERATION[name]
  if (operations === undefined) return evidence[0]?.value
  const now: unknown = inForce[name]
  const isByOperationNow = isObject(now) && (name !== 'errorBody' || isByOperation(now))
  const values = operations.map(({ id }) => {
    const seen = evidence.find(({ operation }) => operation === id)
    const value = seen?.value ?? (isByOperationNow ? now[id] : now)
    return [id, isSame(value, defaultSwitches[name]) ? undefined : value] as const
  })
  const [[, first] = []] = values
  if (name !== 'successWords' && values.every(([, value]) => isSame(value, first)))
    return first ?? defaultSwitches[name]
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** The interpretations with which the mock does as the provider does: a config file, in YAML. */
export async function interpretationsFile(
  results: readonly SwitchResult[],
  inForce: Switches,
  date: Date,
): Promise<string> {
  const { stringify } = await import('../../text/yaml.js')
  const day = date.toISOString().slice(0, 'YYYY-MM-DD'.length)
  const lines = results.flatMap(({ name, value, evidence, undecided }) => {
    const setting = undecided === undefined ? value : inForce[name]
    if (setting === undefined || isSame(setting, defaultSwitches[name])) return []
    const seen = evidence.filter((one) => !isSame(one.value, defaultSwitches[name]))
    const comments = seen.map(({ operation, shown }) => `# ${day}, ${operation}: ${shown}`)
    if (undecided !== undefined) comments.push('# From the configuration; not seen in this run.')
    const yaml = stringify({ [name]: setting }).trimEnd()
    return [...comments, ...yaml.split('\n')].map((line) => `  ${line}`)
  })
  return ['version: 1', lines.length === 0 ? 'interpretations: {}' : 'interpretations:', ...lines, ''].join('\n')
}
