import type { Cite, Cites, InterpretationCite } from '../../engine/contract/cites.js'
import { type Contract, isReadOnly, successStatusOf } from '../../engine/contract/contract.js'
import { isObject, valueAt } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import { undeclaredStatus } from '../../engine/judge/deviations.js'
import type { SampleCall } from '../../engine/judge/sample-call.js'
import { applyChanges, type Changes, type SentCall, tokenFor } from './calls.js'
import type { ReceivedAnswer } from './sender.js'
import type { FindingState, OperationFacts, Session, VerifyFinding } from './session.js'

export interface OperationCheck {
  readonly cites: Cites
  readonly needs?: 'writes' | undefined
  /** `none` says why it is unchecked without records. */
  readonly records?: { readonly find: (operation: TestedOperation) => Promise<RecordList>; readonly none: string }
  readonly run: (operation: TestedOperation, records: RecordList) => unknown
}

export type RecordList = readonly unknown[]

/** By the interpretation that allows them. */
export type OtherStatuses = Readonly<Record<InterpretationCite, readonly (number | '4xx' | '5xx')[]>>

interface Expectation {
  readonly cites?: Cites
  readonly status?: number | undefined
  readonly alsoAllowed?: OtherStatuses
  /** Why the status may prove nothing. */
  readonly whyUnproven?: string | undefined
  /** The record may not exist at the provider. */
  readonly needsData?: boolean
}

const FORBIDDEN =
  "Answered with 403: the token's user may lack the permission. Pass the token of a user who has it with --token."

const ADDRESS = /(?<![^\s@<>"'])[^\s@<>"']+@[^\s@<>"']+/g

/** Findings cite what the check cites. */
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

  /** The user sees the default fixtures. */
  get usesDefaultFixtures(): boolean {
    const { data, withExamples, contracts } = this.session
    if (data.isGiven(this.contract)) return false
    if (withExamples.has(this.contract.id)) return true
    return (
      withExamples.size > 0 &&
      contracts.every((one) => one === this.contract || !isReadOnly(one) || withExamples.has(one.id))
    )
  }

  get hasKnownData(): boolean {
    return this.session.data.isGiven(this.contract) || this.usesDefaultFixtures
  }

  get dataAdvice(): string {
    return `Pass data of ${this.contract.id} that exists at the provider with --data FILE.`
  }

  inOtherOrder(statuses: readonly number[]): OtherStatuses {
    const { checkOrder } = this.session.facts
    return checkOrder === undefined ? {} : { [checkOrder]: statuses }
  }

  send(changes: Changes = {}, options?: Partial<SentCall>): Promise<ReceivedAnswer> {
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

  add(state: FindingState, cites: Cites, found: Partial<VerifyFinding> = {}): void {
    this.session.add(state, cites, { ...found, operation: this.contract.id })
  }

  reportOk(cites = this.cites): void {
    this.add('ok', cites)
  }

  reportUnchecked(message: string, cites = this.cites): void {
    this.add('unchecked', cites, { message })
  }

  reportMissingOption(message: string): void {
    this.add('unchecked', this.cites, { message, lacksOption: true })
  }

  assert(isTrue: boolean, where: string, message: string, found: Partial<VerifyFinding> = {}): void {
    const { cites = this.cites } = found
    if (isTrue) this.reportOk(cites)
    else this.add('drift', cites, { ...found, where, message })
  }

  observe(name: string, { status, body }: ReceivedAnswer, value: unknown): void {
    const { evidence, shapes } = this.session
    const shown = body === undefined ? `${status}` : `${status} ${shapes.describeShape(body)}`
    if (value !== undefined) evidence.push({ name, contract: this.contract, value, shown })
  }

  observeStatus(name: string, answer: ReceivedAnswer, values: Readonly<Record<number, unknown>>): void {
    this.observe(name, answer, values[answer.ok ? 200 : answer.status])
  }

  /** True for the expected status, or one that an interpretation allows. */
  expect(answer: ReceivedAnswer, call: string, expected: Expectation = {}): boolean {
    const { cites = this.cites, status = successStatusOf(this.contract), alsoAllowed = {}, whyUnproven } = expected
    const isError = status >= 400
    const needsData = expected.needsData || !(isError || this.#hasSucceeded)
    const named = this.#namesIn(answer.call)
    if (answer.ok && isError && !isReadOnly(this.contract)) this.#noteLeftover(call, named)
    const { unknownData = [404, 422].filter((one) => one in this.contract.responses) } = this.facts
    if (needsData && !this.hasKnownData && [403, ...unknownData].includes(answer.status)) {
      const data = `the named data (${Object.keys(named).join(', ')})`
      this.reportUnchecked(
        `Answered with ${answer.status}: ${data} may not exist at the provider. ${this.dataAdvice}`,
        cites,
      )
      return false
    }
    if (status !== 403 && this.#isForbidden(answer)) {
      this.reportUnchecked(`${FORBIDDEN} ${this.hasKnownData ? '' : this.dataAdvice}`.trim(), cites)
      return false
    }
    if (answer.status === status || (answer.ok && !isError)) {
      const broken: readonly Cite[] = answer.status === status ? [] : this.#undeclaredSuccess(answer.status, status)
      for (const cite of cites.filter((one) => !broken.includes(one))) {
        if (whyUnproven === undefined) this.reportOk([cite])
        else this.add('unchecked', [cite], { message: whyUnproven, lacksOption: !isReadOnly(this.contract) })
      }
      return true
    }
    const message = `${call} is answered with ${answer.status}, not ${status}.`
    const interpretation = allowing(alsoAllowed, answer.status)
    if (interpretation === undefined) {
      const data = needsData && ![401, 403].includes(answer.status) ? this.dataAdvice : ''
      const words = [message, this.#adviceOn(answer), data].filter((one) => one !== '')
      this.assert(false, 'status', words.join(' '), { cites })
      return false
    }
    this.add('differs', [...cites, interpretation], { where: 'status', message })
    return true
  }

  /** Skips parameters with one possible value. */
  #namesIn({ params, query, form }: SampleCall): NonNullable<SampleCall['form']> {
    const { properties } = this.contract.query
    const chosen = Object.entries(query).filter(([name]) => properties[name]?.enum?.length !== 1)
    return { ...params, ...Object.fromEntries(chosen), ...form }
  }

  #noteLeftover(call: string, named: NonNullable<SampleCall['form']>): void {
    const texts = Object.entries(named).filter(([, value]) => typeof value === 'string')
    const words = [call, ...texts.map(([name, value]) => `${name}: ${value}`)]
    this.session.leftovers.add(`what ${this.contract.id} did: ${words.join(', ')}`)
  }

  /** Returns the statements that another status of a success breaks. */
  #undeclaredSuccess(status: number, declared: number): Cites {
    const { basis, cites } = undeclaredStatus(this.contract, status)
    const message = `A complete call is answered with ${status}, not ${declared}.`
    this.add(basis === 'interpretation' ? 'differs' : 'drift', cites, { where: 'status', message })
    return cites
  }

  get #hasSucceeded(): boolean {
    return this.session.sender.answersOf(this.contract).some(({ ok, call }) => ok && call.token?.whose === 'user')
  }

  /** The user may lack the permission, or own none of the records. */
  #isForbidden({ status, call }: ReceivedAnswer): boolean {
    const { contract, session } = this
    if (status !== 403 || !(403 in contract.responses) || call.token?.whose !== 'user') return false
    const others = session.sender.answersOf(contract).filter((one) => one.call.token?.whose === 'user')
    const isOnlyRefused = others.every((one) => [401, 403, contract.invalidStatus].includes(one.status))
    return isOnlyRefused || (!this.hasKnownData && !others.some(({ ok }) => ok))
  }

  /** Quotes the provider without addresses. */
  #adviceOn({ call: { token }, status, location, body }: ReceivedAnswer): string {
    if (location !== '') return `It redirects to ${quote(location)}.`
    const option = token?.whose === 'without permission' ? '--token-without-permission' : '--token'
    if (status === 401 && !this.session.sender.isAccepted(token))
      return `The token was not accepted. Pass one that is valid at the provider with ${option}.`
    const path = pathTo('message', this.contract.conventions.envelope.body(status, 'message')) ?? ['message']
    const said = valueAt(body, ...path) ?? valueAt(body, 'message') ?? valueAt(body, 'detail')
    return status >= 400 && typeof said === 'string' ? `It says ${quote(said.replace(ADDRESS, '…@…'))}.` : ''
  }
}

function allowing(alsoAllowed: OtherStatuses, status: number): InterpretationCite | undefined {
  const kind = status < 500 ? '4xx' : '5xx'
  const all = Object.keys(alsoAllowed) as InterpretationCite[]
  return all.find((id) => alsoAllowed[id]?.includes(status) || (status >= 400 && alsoAllowed[id]?.includes(kind)))
}

export function pathTo(wanted: unknown, value: unknown): readonly string[] | undefined {
  if (value === wanted) return []
  if (!isObject(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const path = pathTo(wanted, inner)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}
