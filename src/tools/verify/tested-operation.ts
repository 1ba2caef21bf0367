import type { Cite, Cites, InterpretationCite } from '../../engine/contract/cites.js'
import { type Contract, isReadOnly, successStatusOf } from '../../engine/contract/contract.js'
import { isObject, valueAt } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import { undeclaredStatus } from '../../engine/judge/deviations.js'
import type { SampleCall } from '../../engine/judge/sample-call.js'
import { applyChanges, type CallChanges, type SentCall, tokenFor } from './calls.js'
import type { ReceivedAnswer } from './sender.js'
import type { FindingState, OperationFacts, Session, VerifyFinding } from './session.js'

export interface OperationCheck {
  readonly cites: Cites
  readonly needs?: 'writes' | undefined
  /** `ifNone`: the reason why the check is impossible without records. */
  readonly records?: { readonly find: (operation: TestedOperation) => Promise<RecordList>; readonly ifNone: string }
  readonly run: (operation: TestedOperation, records: RecordList) => unknown
}

export type RecordList = readonly unknown[]

/** Statuses that the document leaves open, by the interpretation that allows them. */
export type OtherStatuses = Readonly<Record<InterpretationCite, readonly (number | '4xx' | '5xx')[]>>

interface Expectation {
  readonly cites?: Cites
  readonly status?: number | undefined
  readonly alsoAllowed?: OtherStatuses
  /** The reason why the status may prove nothing. */
  readonly whyUnproven?: string | undefined
  /** The record may not exist at the provider. */
  readonly needsData?: boolean
}

const FORBIDDEN_MESSAGE =
  "Answered with 403: the token's user may lack the permission. Pass the token of a user who has it with --token."

const EMAIL_ADDRESS = /(?<![^\s@<>"'])[^\s@<>"']+@[^\s@<>"']+/g

/** `cites`: what findings cite by default. */
export class TestedOperation {
  constructor(
    readonly contract: Contract,
    readonly session: Session,
    readonly cites = contract.cites,
  ) {}

  get facts(): OperationFacts {
    return this.session.facts.operations[this.contract.id] ?? {}
  }

  get sampleCall(): SampleCall {
    return this.session.data.sampleCall(this.contract)
  }

  /** True if the provider seems to have the default fixtures: this or every other example read finds records. */
  get usesDefaultFixtures(): boolean {
    const { data, operationsWithRecords, contracts } = this.session
    if (data.hasDataFor(this.contract)) return false
    if (operationsWithRecords.has(this.contract.id)) return true
    const otherReads = contracts.filter((one) => one !== this.contract && isReadOnly(one))
    return operationsWithRecords.size > 0 && otherReads.every(({ id }) => operationsWithRecords.has(id))
  }

  get hasKnownData(): boolean {
    return this.session.data.hasDataFor(this.contract) || this.usesDefaultFixtures
  }

  get dataAdvice(): string {
    return `Pass data of ${this.contract.id} that exists at the provider with --data FILE.`
  }

  allowedByCheckOrder(statuses: readonly number[]): OtherStatuses {
    const { checkOrder } = this.session.facts
    return checkOrder === undefined ? {} : { [checkOrder]: statuses }
  }

  send(changes: CallChanges = {}, options?: Partial<SentCall>): Promise<ReceivedAnswer> {
    return this.sendCall(applyChanges(this.sampleCall, changes), options)
  }

  sendCall(values: SampleCall, options?: Partial<SentCall>): Promise<ReceivedAnswer> {
    const { contract, session } = this
    return session.sender.send({ contract, token: tokenFor(contract, 'user'), ...options, ...values })
  }

  restore(values: SampleCall): Promise<ReceivedAnswer | undefined> {
    const { contract, session } = this
    return session.sender.retryRestore({ contract, token: tokenFor(contract, 'user'), ...values })
  }

  report(state: FindingState, cites: Cites, details: Partial<VerifyFinding> = {}): void {
    this.session.report(state, cites, { ...details, operation: this.contract.id })
  }

  reportOk(cites = this.cites): void {
    this.report('ok', cites)
  }

  reportUnchecked(message: string, cites = this.cites): void {
    this.report('unchecked', cites, { message })
  }

  reportMissingOption(message: string): void {
    this.report('unchecked', this.cites, { message, lacksOption: true })
  }

  assert(condition: boolean, where: string, message: string, details: Partial<VerifyFinding> = {}): void {
    const { cites = this.cites } = details
    if (condition) this.reportOk(cites)
    else this.report('drift', cites, { ...details, where, message })
  }

  observe(name: string, { status, body }: ReceivedAnswer, value: unknown): void {
    const { evidence, shapes } = this.session
    const answer = body === undefined ? `${status}` : `${status} ${shapes.describeShape(body)}`
    if (value !== undefined) evidence.push({ name, contract: this.contract, value, answer })
  }

  observeStatus(name: string, answer: ReceivedAnswer, values: Readonly<Record<number, unknown>>): void {
    this.observe(name, answer, values[answer.ok ? 200 : answer.status])
  }

  /** Returns true for the expected status, or one that an interpretation allows. */
  expect(answer: ReceivedAnswer, call: string, expected: Expectation = {}): boolean {
    const { cites = this.cites, status = successStatusOf(this.contract), alsoAllowed = {}, whyUnproven } = expected
    const expectsError = status >= 400
    const needsData = expected.needsData || !(expectsError || this.#hasSucceeded)
    const values = this.#valuesOf(answer.call)
    if (answer.ok && expectsError && !isReadOnly(this.contract)) this.#reportLeftover(call, values)
    const { unknownDataStatuses = [404, 422].filter((one) => one in this.contract.responses) } = this.facts
    if (needsData && !this.hasKnownData && [403, ...unknownDataStatuses].includes(answer.status)) {
      const reason = `the requested data (${Object.keys(values).join(', ')}) may not exist at the provider`
      this.reportUnchecked(`Answered with ${answer.status}: ${reason}. ${this.dataAdvice}`, cites)
      return false
    }
    if (status !== 403 && this.#mayLackPermission(answer)) {
      this.reportUnchecked(`${FORBIDDEN_MESSAGE} ${this.hasKnownData ? '' : this.dataAdvice}`.trim(), cites)
      return false
    }
    if (answer.status === status || (answer.ok && !expectsError)) {
      const refuted: readonly Cite[] = answer.status === status ? [] : this.#reportOtherSuccess(answer.status, status)
      for (const cite of cites.filter((one) => !refuted.includes(one))) {
        if (whyUnproven === undefined) this.reportOk([cite])
        else this.report('unchecked', [cite], { message: whyUnproven, lacksOption: !isReadOnly(this.contract) })
      }
      return true
    }
    const message = `${call} is answered with ${answer.status}, not ${status}.`
    const interpretation = interpretationAllowing(answer.status, alsoAllowed)
    if (interpretation === undefined) {
      const dataAdvice = needsData && ![401, 403].includes(answer.status) ? this.dataAdvice : ''
      const sentences = [message, this.#explainStatus(answer), dataAdvice].filter((sentence) => sentence !== '')
      this.report('drift', cites, { where: 'status', message: sentences.join(' ') })
      return false
    }
    this.report('differs', [...cites, interpretation], { where: 'status', message })
    return true
  }

  /** Skips parameters with one possible value. */
  #valuesOf({ params, query, form }: SampleCall): NonNullable<SampleCall['form']> {
    const { properties } = this.contract.query
    const variable = Object.entries(query).filter(([name]) => properties[name]?.enum?.length !== 1)
    return { ...params, ...Object.fromEntries(variable), ...form }
  }

  #reportLeftover(call: string, values: NonNullable<SampleCall['form']>): void {
    const texts = Object.entries(values).filter(([, value]) => typeof value === 'string')
    const parts = [call, ...texts.map(([name, value]) => `${name}: ${value}`)]
    this.session.leftovers.add(`the result of ${this.contract.id}: ${parts.join(', ')}`)
  }

  /** Returns the statements that the other status contradicts. */
  #reportOtherSuccess(status: number, declared: number): Cites {
    const { basis, cites } = undeclaredStatus(this.contract, status)
    const message = `A call is answered with ${status}, not ${declared}.`
    this.report(basis === 'interpretation' ? 'differs' : 'drift', cites, { where: 'status', message })
    return cites
  }

  get #hasSucceeded(): boolean {
    return this.session.sender.answersOf(this.contract).some(({ ok, call }) => ok && call.token?.kind === 'user')
  }

  /** The user may lack the permission, or own none of the records. */
  #mayLackPermission({ status, call }: ReceivedAnswer): boolean {
    const { contract, session } = this
    if (status !== 403 || !(403 in contract.responses) || call.token?.kind !== 'user') return false
    const otherAnswers = session.sender.answersOf(contract).filter((one) => one.call.token?.kind === 'user')
    const areAllRejected = otherAnswers.every((one) => [401, 403, contract.invalidStatus].includes(one.status))
    return areAllRejected || (!this.hasKnownData && !otherAnswers.some(({ ok }) => ok))
  }

  /** Quotes the provider's message without e-mail addresses. */
  #explainStatus({ call: { token }, status, location, body }: ReceivedAnswer): string {
    if (location !== '') return `It redirects to ${quote(location)}.`
    const option = token?.kind === 'without permission' ? '--token-without-permission' : '--token'
    if (status === 401 && !this.session.sender.isAccepted(token))
      return `The token was not accepted. Pass one that is valid at the provider with ${option}.`
    const path = findPath('message', this.contract.conventions.envelope.body(status, 'message')) ?? ['message']
    const message = valueAt(body, ...path) ?? valueAt(body, 'message') ?? valueAt(body, 'detail')
    if (status < 400 || typeof message !== 'string') return ''
    return `Its message: ${quote(message.replace(EMAIL_ADDRESS, '…@…'))}.`
  }
}

function interpretationAllowing(status: number, allowed: OtherStatuses): InterpretationCite | undefined {
  const kind = status < 500 ? '4xx' : '5xx'
  const ids = Object.keys(allowed) as InterpretationCite[]
  return ids.find((id) => allowed[id]?.includes(status) || (status >= 400 && allowed[id]?.includes(kind)))
}

export function findPath(wanted: unknown, value: unknown): readonly string[] | undefined {
  if (value === wanted) return []
  if (!isObject(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const path = findPath(wanted, inner)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}
