import type { TSchema } from '@sinclair/typebox'
import type { InterpretationId, SwitchName } from '../../../schemas/interpretations.js'
import type { StatementId } from '../../../schemas/statements.js'
import { USER_TYPE_NAME } from '../../../schemas/user-type.js'
import type { Switches } from '../../api/switches.js'
import type { Cite, Cites } from '../../engine/contract/cites.js'
import { type Contract, isRead, successStatusOf } from '../../engine/contract/contract.js'
import { quote } from '../../engine/contract/wording.js'
import { undeclaredStatus } from '../../engine/judge/deviations.js'
import { applyChanges, type CallValues, type Changes, type SentCall, USER } from './calls.js'
import { shapeText } from './interpretations/shapes.js'
import type { ReceivedAnswer } from './sender.js'
import type { FindingState, Session, VerifyFinding } from './session.js'

export interface OperationCheck {
  readonly cites: Cites
  readonly needs?: 'writes' | undefined
  readonly run: (on: TestedOperation) => unknown
}

export function check(cites: Cites, run: OperationCheck['run'], needs?: OperationCheck['needs']): OperationCheck {
  return { cites, run, needs }
}

/** What verify knows of one operation beyond its contract. */
export interface OperationKnowledge {
  readonly checks?: readonly OperationCheck[]
  /** Statements that fields cite, but that only the checks can show. */
  readonly shownByChecks?: readonly Cite[]
  /** Why no call can show a statement. */
  readonly unverifiable?: { readonly [Id in StatementId]?: string }
  /** Keys of its part of the data file, besides the parts of a call. */
  readonly data?: Readonly<Record<string, TSchema>>
  /** The statuses for data that does not exist; by default 404 and 422. */
  readonly unknownData?: readonly number[]
  /** The record that its path names, in words. */
  readonly record?: string
  /** The interpretation by which a call without any field succeeds. */
  readonly emptyForm?: InterpretationId
  /** The values of switches in force, in the form in which answers show them. */
  readonly inForce?: { readonly [S in SwitchName]?: (inForce: Switches) => unknown }
}

interface Expectation {
  readonly cites?: Cites
  readonly status?: number
  /** Other statuses that an interpretation allows. */
  readonly otherwise?: Partial<Record<InterpretationId, readonly number[]>>
  /** Why the expected status would prove nothing. */
  readonly masked?: string | undefined
  /** The call names data that may not exist at the provider. */
  readonly needsData?: boolean
}

type Claim = Partial<Pick<VerifyFinding, 'count' | 'of'>> & { readonly cites?: Cites }

export const ERRORS: readonly number[] = Array.from({ length: 200 }, (_, at) => 400 + at)
export const CLIENT_ERRORS = ERRORS.slice(0, 100)

const ADDRESS = /[^\s@<>"']+@[^\s@<>"']+/g

/** One operation of a provider under one check. By default, a finding cites what the check cites. */
export class TestedOperation {
  constructor(
    readonly contract: Contract,
    readonly session: Session,
    readonly own: OperationKnowledge = {},
    readonly cites = contract.cites,
  ) {}

  get complete(): CallValues {
    return this.session.data.complete(this.contract)
  }

  /** The calls name records of the default fixtures, and a read has shown some. */
  get isDefault(): boolean {
    const { data, withExamples } = this.session
    if (data.isGiven(this.contract)) return false
    return isRead(this.contract) ? withExamples.has(this.contract.id) : withExamples.size > 0
  }

  get isKnown(): boolean {
    return this.session.data.isGiven(this.contract) || this.isDefault
  }

  get dataAdvice(): string {
    return `Name data of ${this.contract.id} that exists there with --data FILE.`
  }

  send(changes: Changes = {}, options?: Partial<SentCall>): Promise<ReceivedAnswer> {
    return this.sendCall(applyChanges(this.complete, changes), options)
  }

  sendCall(values: CallValues, options?: Partial<SentCall>): Promise<ReceivedAnswer> {
    return this.session.sender.send({ contract: this.contract, token: USER, ...options, ...values })
  }

  add(state: FindingState, cites: Cites, found: Partial<VerifyFinding> = {}): void {
    this.session.add(state, cites, { ...found, operation: this.contract.id })
  }

  holds(cites = this.cites): void {
    this.add('ok', cites)
  }

  unchecked(message: string, cites = this.cites): void {
    this.add('unchecked', cites, { message })
  }

  claim(isTrue: boolean, where: string, message: string, { cites = this.cites, ...counts }: Claim = {}): void {
    if (isTrue) this.holds(cites)
    else this.add('drift', cites, { where, message, ...counts })
  }

  /** Notes that an answer shows the value of a switch, if some value gives such an answer. */
  sees(name: SwitchName, { status, body }: ReceivedAnswer, value: unknown): void {
    const shown = body === undefined ? `${status}` : `${status} ${shapeText(body)}`
    if (value !== undefined) this.session.seen.push({ name, contract: this.contract, value, shown })
  }

  /** Reads the value from the status: `200` stands for any success, `invalid` for the status of invalid calls. */
  seesStatus(name: SwitchName, answer: ReceivedAnswer, values: Readonly<Record<string, unknown>>): void {
    const invalid = answer.status === this.contract.invalid ? values.invalid : undefined
    this.sees(name, answer, answer.ok ? values[200] : (values[answer.status] ?? invalid))
  }

  /** Notes whether an answer is as expected, or as another interpretation allows; returns whether it is. */
  expect(answer: ReceivedAnswer, call: string, expected: Expectation = {}): boolean {
    const {
      cites = this.cites,
      status = successStatusOf(this.contract),
      otherwise = {},
      masked,
      needsData = false,
    } = expected
    const isInvalid = ERRORS.includes(status)
    const { [USER_TYPE_NAME]: _, ...named } = { ...answer.call.params, ...answer.call.query, ...answer.call.form }
    if (answer.ok && isInvalid && !isRead(this.contract)) {
      const texts = Object.entries(named).flatMap(([name, value]) =>
        typeof value === 'string' ? `${name}: ${value}` : [],
      )
      this.session.left.add(`what ${this.contract.id} did: ${[call, ...texts].join(', ')}`)
    }
    if (needsData && this.#isUnknownData(answer)) {
      const data = `the named data (${Object.keys(named).join(', ')})`
      this.unchecked(`Answered with ${answer.status}: ${data} may not exist at the provider. ${this.dataAdvice}`, cites)
      return false
    }
    const isSuccess = answer.ok && !isInvalid
    if (answer.status === status || isSuccess) {
      const broken = new Set(answer.status === status ? [] : this.#undeclaredSuccess(answer.status, status))
      for (const cite of cites.filter((one) => !broken.has(one))) {
        if (masked === undefined) this.holds([cite])
        else this.unchecked(masked, [cite])
      }
      return true
    }
    const message = `${call} is answered with ${answer.status}, not ${status}.`
    const interpretation = (Object.keys(otherwise) as InterpretationId[]).find((id) =>
      otherwise[id]?.includes(answer.status),
    )
    if (interpretation === undefined) {
      const advice = needsData && ![401, 403].includes(answer.status) ? this.dataAdvice : ''
      const words = [message, this.#adviceOn(answer, status), advice].filter((one) => one !== '')
      this.claim(false, 'status', words.join(' '), { cites })
      return false
    }
    this.add('differs', [...cites, interpretation], { where: 'status', message })
    return true
  }

  /** Another status of a success leaves open nothing else that the call shows. */
  #undeclaredSuccess(status: number, declared: number): Cites {
    const { basis, cites } = undeclaredStatus(this.contract, status)
    const message = `A complete call is answered with ${status}, not ${declared}.`
    this.add(basis === 'interpretation' ? 'differs' : 'drift', cites, { where: 'status', message })
    return cites
  }

  #isUnknownData({ status }: ReceivedAnswer): boolean {
    const { unknownData = [404, 422].filter((one) => one in this.contract.responses) } = this.own
    return unknownData.includes(status) && !this.isKnown
  }

  /** Also quotes the provider's own message, without addresses. */
  #adviceOn({ call: { token }, status, location, body }: ReceivedAnswer, expected: number): string {
    if (location !== '') return `It redirects to ${quote(location)}.`
    const option = token?.whose === 'without permission' ? '--token-without-permission' : '--token'
    if (status === 401 && !this.session.sender.isAccepted(token))
      return `The token was not accepted. Pass one that is valid at the provider with ${option}.`
    if (status === 403 && !ERRORS.includes(expected))
      return "The token's user may not do this. Pass the token of a user who may with --token."
    const said = member(body, 'error', 'message') ?? member(body, 'message') ?? member(body, 'detail')
    return status >= 400 && typeof said === 'string' ? `It says ${quote(said.replace(ADDRESS, '…@…'))}.` : ''
  }
}

export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>> | null)?.[key], value)
}

export function items(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = member(value, ...path)
  return Array.isArray(list) ? list : []
}
