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
import type { ReceivedAnswer } from '../sender.js'
import { isSuccess, items, member, type Session } from '../session.js'
import { errorShape, isApiWord, linkTemplate, shapeText } from './shapes.js'

interface SwitchEvidence {
  /** The value that all answers of an operation show. Without it, checks note the value of one answer. */
  readonly seenIn?: (answers: readonly ReceivedAnswer[], contract: Contract) => unknown
  /** The value in force for an operation, in the form in which answers show it. */
  readonly inForce?: (contract: Contract, inForce: Switches) => unknown
  readonly operations?: readonly Contract[]
}

const all: readonly Contract[] = documented

const SWITCH_EVIDENCE: Partial<Record<SwitchName, SwitchEvidence>> = {
  errorBody: {
    seenIn(answers, contract) {
      const errors = answers.filter(({ status, body }) => status >= 400 && isObject(body))
      return errorsAreOpen(contract) && errors.length > 0 ? errorShape(errors) : undefined
    },
    inForce(contract) {
      const errors = statusesOf(contract).filter((status) => !isSuccessful(contract.responses[status]))
      return errorShape(errors.map((status) => ({ status, body: sampleBody(contract, status) })))
    },
    operations: all.filter(errorsAreOpen),
  },
  successStatus: {
    seenIn(answers, contract) {
      const status = onlyValue(answers, (one) => one.status)
      return statusIsOpen(contract) && (status === 200 || status === 201) ? status : undefined
    },
    inForce: successStatusOf,
    operations: all.filter(statusIsOpen),
  },
  successWords: {
    seenIn(answers, contract) {
      const status = onlyValue(answers, ({ body }) => member(body, 'status'))
      if (!wordsOf(contract).includes('status') || typeof status !== 'string') return undefined
      return isApiWord(status) || /^(?:[a-z_-]{2,24}|[A-Z_-]{2,24})$/.test(status) ? { status } : undefined
    },
    inForce: (contract) => ({ status: member(sampleBody(contract, successStatusOf(contract)), 'status') }),
    operations: all,
  },
  timestamps: {
    seenIn(answers) {
      const times = answers
        .filter(isSuccess)
        .flatMap(({ body }) => [
          member(body, 'document', 'verified_at'),
          ...items(member(body, 'histories')).map((one) => member(one, 'created_at')),
        ])
        .filter((one) => typeof one === 'string')
      if (times.length === 0) return undefined
      if (times.every((one) => /:\d\dZ$/.test(one))) return 'seconds'
      return times.every((one) => /\.\d{3}Z$/.test(one)) ? 'milliseconds' : undefined
    },
  },
  signingLinkBody: {
    inForce(_, { signingLinkBody }) {
      const known = { link: 'https://x.example.test/1', project_uuid: 'the-project', email: 'someone@example.test' }
      return linkTemplate(fill(signingLinkBody, { ...known, created_at: '2026-01-15T09:30:00.000Z' }), known)
    },
  },
}

function onlyValue(answers: readonly ReceivedAnswer[], valueIn: (answer: ReceivedAnswer) => unknown): unknown {
  const values = new Set(answers.filter(isSuccess).map(valueIn))
  return values.size === 1 ? [...values][0] : undefined
}

interface Evidence {
  readonly contract: Contract
  readonly value: unknown
  /** Its status and shape, without its data: `404 {error: {code: integer, message: text}}`. */
  readonly shown: string
}

export interface SwitchResult {
  readonly name: SwitchName
  readonly interpretation: InterpretationId
  readonly evidence: readonly Evidence[]
  /** The value that the switch must have; undefined if it is the default, or undecided. */
  readonly value: unknown
  readonly undecided?: string
}

export function compareInterpretations(session: Session, inForce: Switches): readonly SwitchResult[] {
  return interpretations.flatMap((one) =>
    ('switches' in one ? one.switches : []).map((name) => compareSwitch(name, one.id, session, inForce)),
  )
}

function compareSwitch(name: SwitchName, interpretation: InterpretationId, session: Session, inForce: Switches) {
  const evidence = evidenceFor(name, session)
  // Without a value, each operation gives its own status for an invalid call.
  const isUnset = name === 'missingUserType' && evidence.every(({ contract, value }) => contract.invalid === value)
  const undecided = whyUndecided(name, evidence, isUnset, session)
  if (undecided !== undefined) {
    session.add('unchecked', [interpretation], { message: undecided })
    return { name, interpretation, evidence: [], value: undefined, undecided }
  }
  for (const { contract, value, shown } of evidence) {
    const theirs = isUnset ? undefined : value
    const { inForce: read } = SWITCH_EVIDENCE[name] ?? {}
    const ours = read === undefined ? inForce[name] : read(contract, inForce)
    const isAlike = isSame(theirs, ours) || isSame(value, ours)
    const message = `${switchText(theirs)} there, but ${switchText(ours)} here: the answer is ${shown}.`
    const found = isAlike ? {} : { where: name, message, switch: name }
    session.add(isAlike ? 'ok' : 'differs', [interpretation], { operation: contract.id, ...found })
  }
  return { name, interpretation, evidence, value: isUnset ? undefined : settingFor(name, evidence, inForce) }
}

function evidenceFor(name: SwitchName, { seen, contracts, sender }: Session): readonly Evidence[] {
  const { seenIn } = SWITCH_EVIDENCE[name] ?? {}
  if (seenIn === undefined)
    return seen.filter((one) => one.name === name).map(({ answer, value }) => evidenceOf(answer, value))
  return contracts.flatMap((contract) => {
    const answers = sender.answersOf(contract)
    const value = seenIn(answers, contract)
    const example = answers.find((one) => isSuccess(one) === (name !== 'errorBody'))
    return example === undefined || value === undefined ? [] : [evidenceOf(example, value)]
  })
}

function evidenceOf({ status, body, call }: ReceivedAnswer, value: unknown): Evidence {
  const shown = body === undefined ? `${status}` : `${status} ${shapeText(body)}`
  return { contract: call.contract, value, shown }
}

function whyUndecided(name: SwitchName, evidence: readonly Evidence[], isUnset: boolean, { allowWrites }: Session) {
  if (evidence.length === 0) return `No call in this run shows ${name}${allowWrites ? '' : ', without --allow-writes'}.`
  if (isUnset || SWITCH_EVIDENCE[name]?.operations !== undefined) return undefined
  const values = [...new Set(evidence.map(({ value }) => JSON.stringify(value)))]
  const isAllowed = name !== 'missingUserType' || MISSING_USER_TYPE.some((status) => status === evidence[0]?.value)
  return values.length === 1 && isAllowed ? undefined : `No value of ${name} gives ${values.join(', ')}.`
}

function settingFor(name: SwitchName, evidence: readonly Evidence[], inForce: Switches): unknown {
  const { operations } = SWITCH_EVIDENCE[name] ?? {}
  if (operations === undefined) return evidence[0]?.value
  const now: unknown = inForce[name]
  const values = operations.map(({ id }) => {
    const seen = evidence.find(({ contract }) => contract.id === id)
    const value = seen?.value ?? (isObject(now) && isByOperation(now) ? now[id] : now)
    return [id, isSame(value, defaultSwitches[name]) ? undefined : value] as const
  })
  const [[, first] = []] = values
  if (values.every(([, value]) => isSame(value, first))) return first ?? defaultSwitches[name]
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** The interpretations with which the mock does as the provider does: a config file, in YAML. */
export async function interpretationsFile(results: readonly SwitchResult[], inForce: Switches, date: Date) {
  const { stringify } = await import('../../text/yaml.js')
  const day = date.toISOString().slice(0, 'YYYY-MM-DD'.length)
  const lines = results.flatMap(({ name, value, evidence, undecided }) => {
    const setting = undecided === undefined ? value : inForce[name]
    if (setting === undefined || isSame(setting, defaultSwitches[name])) return []
    const seen = evidence.filter((one) => !isSame(one.value, defaultSwitches[name]))
    const comments = seen.map(({ contract, shown }) => `# ${day}, ${contract.id}: ${shown}`)
    if (undecided !== undefined) comments.push('# From the configuration; not seen in this run.')
    const yaml = stringify({ [name]: setting }).trimEnd()
    return [...comments, ...yaml.split('\n')].map((line) => `  ${line}`)
  })
  return ['version: 1', lines.length === 0 ? 'interpretations: {}' : 'interpretations:', ...lines, ''].join('\n')
}
