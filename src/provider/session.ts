import type { TSchema } from '@sinclair/typebox'
import { bodySchema } from '../../schemas/bodies.js'
import { allCitesOf, type Cite, type Cites } from '../../schemas/cites.js'
import { type Contract, isRead, successStatusOf } from '../../schemas/contract.js'
import type { InterpretationId, SwitchName } from '../../schemas/interpretations.js'
import { errorsAreOpen } from '../../schemas/switches.js'
import { quote } from '../text/wording.js'
import { checkAnswer, declaredStatus, undeclaredStatus } from '../validation/deviations.js'
import { foldDeviations } from '../validation/fold-deviations.js'
import { applyChanges, type CallValues, type Changes, type SentCall, type TestData, USER } from './calls.js'
import { valueText } from './interpretations/shapes.js'
import type { ReceivedAnswer, Sender } from './sender.js'

/** `drift`: not as documented; `differs`: not as one of our interpretations; `unchecked`: with the reason. */
export type FindingState = 'ok' | 'drift' | 'differs' | 'unchecked'

export interface VerifyFinding {
  readonly state: FindingState
  readonly cites: readonly Cite[]
  readonly operation: string
  readonly where: string
  readonly message: string
  readonly count: number
  readonly of: number
  /** The switch that makes the mock do the same. */
  readonly switch?: SwitchName
}

export class Session {
  readonly findings = new Map<string, VerifyFinding>()
  readonly additional = new Map<string, Pick<VerifyFinding, 'operation' | 'where'> & { readonly type: string }>()
  readonly left = new Set<string>()
  readonly seen: { readonly name: SwitchName; readonly answer: ReceivedAnswer; readonly value: unknown }[] = []
  /** Operations that know the records of the contracts' examples. */
  readonly withExamples = new Set<string>()
  readonly judged = new WeakSet<ReceivedAnswer>()
  /** Why the service, or some of its operations, could not be judged. */
  readonly unavailable = new Set<string>()

  constructor(
    readonly contracts: readonly Contract[],
    readonly sender: Sender,
    readonly data: TestData,
    readonly allowWrites: boolean,
  ) {}

  add(state: FindingState, cites: readonly Cite[], found: Partial<VerifyFinding>): void {
    const { operation = '', where = '', message = '', count = 1, of = 1 } = found
    const key = JSON.stringify([state, operation, where, cites, where.includes('[*]') || message])
    const known = this.findings.get(key)
    const sums = { count: count + (known?.count ?? 0), of: of + (known?.of ?? 0) }
    this.findings.set(key, { ...found, state, cites, operation, where, message: known?.message ?? message, ...sums })
  }
}

export interface OperationCheck {
  readonly cites: Cites
  readonly needs?: 'writes' | 'a second token' | undefined
  readonly run: (on: TestedOperation) => unknown
}

export function check(cites: Cites, run: OperationCheck['run'], needs?: OperationCheck['needs']): OperationCheck {
  return { cites, run, needs }
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
/** Not shown by the shape of a field, but by the checks of operations. */
const BEYOND_SHAPES: ReadonlySet<Cite> = new Set<Cite>(['S3.7', 'S4.8', 'S5.7', 'S5.10', 'SE.8'])

/** One operation of a provider under one check. By default, a finding cites what the check cites. */
export class TestedOperation {
  constructor(
    readonly contract: Contract,
    readonly session: Session,
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

  add(state: FindingState, cites: readonly Cite[], found: Partial<VerifyFinding> = {}): void {
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
  sees(name: SwitchName, answer: ReceivedAnswer, value: unknown): void {
    if (value !== undefined) this.session.seen.push({ name, answer, value })
  }

  /** Reads the value from the status: `200` stands for any success, `invalid` for the status of invalid calls. */
  seesStatus(name: SwitchName, answer: ReceivedAnswer, values: Readonly<Record<string, unknown>>): void {
    const invalid = answer.status === this.contract.invalid ? values.invalid : undefined
    this.sees(name, answer, isSuccess(answer) ? values[200] : (values[answer.status] ?? invalid))
  }

  leaves(record: string): void {
    this.session.left.add(record)
  }

  /** Notes whether an answer is as expected, or as another interpretation allows; returns whether it is. */
  expect(answer: ReceivedAnswer, call: string, expected: Expectation = {}): boolean {
    const { cites = this.cites, status = successStatusOf(this.contract), masked, needsData = false } = expected
    const { user_type: _, ...named } = { ...answer.call.params, ...answer.call.query, ...answer.call.form }
    if (isSuccess(answer) && !isSuccess({ status }) && !isRead(this.contract)) {
      const texts = Object.entries(named).flatMap(([name, value]) =>
        typeof value === 'string' ? `${name}: ${value}` : [],
      )
      this.leaves(`what ${this.contract.id} did: ${[call, ...texts].join(', ')}`)
    }
    if (needsData && this.#isUnknownData(answer)) {
      const data = `the named data (${Object.keys(named).join(', ')})`
      this.unchecked(`Answered with ${answer.status}: ${data} may not exist at the provider. ${this.dataAdvice}`, cites)
      return false
    }
    if (answer.status === status) {
      if (masked === undefined) this.holds(cites)
      else this.unchecked(masked, cites)
      this.judgeBody(answer)
      return true
    }
    const message = `${call} is answered with ${answer.status}, not ${status}.`
    const isOtherSuccess = isSuccess({ status }) && isSuccess(answer)
    const interpretation = isOtherSuccess ? this.#openSuccess(answer) : allowing(expected.otherwise, answer)
    if (interpretation === undefined) {
      const advice = needsData && ![401, 403].includes(answer.status) ? this.dataAdvice : ''
      const words = [message, adviceOn(answer, status), advice].filter((one) => one !== '')
      this.claim(false, 'status', words.join(' '), { cites })
      return false
    }
    if (isOtherSuccess) this.holds(cites)
    this.add('differs', [...cites, interpretation], { where: 'status', message })
    this.judgeBody(answer)
    return true
  }

  #openSuccess({ status }: ReceivedAnswer): InterpretationId | undefined {
    const isOpen = undeclaredStatus(this.contract, status).basis === 'interpretation'
    return isOpen && !(status in this.contract.responses) ? 'I-01' : undefined
  }

  #isUnknownData({ status }: ReceivedAnswer): boolean {
    // An unknown organization of an invitation is 400 or 404 (I-07).
    const { id, responses } = this.contract
    const statuses = id === 'addOrganizationMember' ? [400, 404] : [404, 422].filter((one) => one in responses)
    return statuses.includes(status) && !this.isKnown
  }

  judgeBody(answer: ReceivedAnswer): void {
    const { contract, session } = this
    const { body, status } = answer
    if (session.judged.has(answer)) return
    session.judged.add(answer)
    const deviations = checkAnswer(contract, answer).filter(({ code }) => code !== 'undeclared-status')
    for (const { code, where, first, cites, basis, message, count, of } of foldDeviations(deviations, body)) {
      const value = member(body, ...first.split('.').slice(1))
      const place = where.replace(/^body\./, '')
      const words = message
        .replace(quote(value), valueText(value))
        .replace(`'${where}'`, place === 'body' ? 'The body' : `'${place}'`)
      const noJson = `The body must be JSON, not ${/^\s*</.test(answer.text) ? 'HTML' : 'other text'}.`
      const isText = code === 'no-json' && answer.text !== ''
      const found = { where: place, message: isText ? noJson : words, count, of: of ?? count }
      this.add(basis === 'documented' ? 'drift' : 'differs', cites, found)
    }
    const declared = declaredStatus(contract, status)
    if (body === undefined || declared === undefined) return
    const isOpen = errorsAreOpen(contract) && !isSuccess(answer)
    const parts = isOpen ? [] : partsOf(bodySchema(contract, declared), body)
    const departed = new Set(deviations.flatMap(({ cites }) => cites))
    const held = new Set(['S0.3' as const, ...parts.flatMap(([, schema]) => (schema ? allCitesOf(schema) : []))])
    for (const cite of held) if (!departed.has(cite) && !BEYOND_SHAPES.has(cite)) this.holds([cite])
    for (const [where, , value] of parts.filter(([, schema]) => schema === undefined)) {
      const type = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
      session.additional.set(`${contract.id}${where}`, { operation: contract.id, where, type })
    }
    const code = member(body, 'error', 'code')
    if (!isOpen && !isSuccess(answer) && typeof code === 'number')
      this.claim(code === status, 'error.code', `It must be the status ${status}, not ${code}.`, { cites: ['SE.7'] })
  }
}

type BodyPart = readonly [place: string, schema: TSchema | undefined, value: unknown]

function partsOf(schema: TSchema | undefined, value: unknown, place = ''): readonly BodyPart[] {
  const own: BodyPart = [place, schema, value]
  if (schema?.type === 'array')
    return [own, ...items(value).flatMap((item) => partsOf(schema.items, item, `${place}[*]`))]
  const properties: Readonly<Record<string, TSchema>> | undefined = schema?.properties
  if (properties === undefined || typeof value !== 'object' || value === null) return [own]
  const inner = Object.entries(value).flatMap(([name, one]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    return partsOf(property, one, place === '' ? name : `${place}.${name}`)
  })
  return [own, ...inner]
}

export const isSuccess = ({ status }: Pick<ReceivedAnswer, 'status'>) => status >= 200 && status < 300

export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>> | null)?.[key], value)
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function allowing(otherwise: Expectation['otherwise'] = {}, { status }: ReceivedAnswer) {
  const ids = Object.keys(otherwise) as InterpretationId[]
  return ids.find((id) => otherwise[id]?.includes(status))
}

/** Also quotes the provider's own message, without addresses. */
function adviceOn({ status, location, body }: ReceivedAnswer, expected: number): string {
  if (status >= 300 && status < 400) return `It redirects to ${quote(location)}.`
  if (status === 401) return 'The token was not accepted. Pass one that is valid at the provider with --token.'
  if (status === 403 && expected !== 401)
    return "The token's user may not do this. Pass the token of a user who may with --token."
  const said = member(body, 'error', 'message') ?? member(body, 'message') ?? member(body, 'detail')
  return status >= 400 && typeof said === 'string' ? `It says ${quote(said.replace(ADDRESS, '…@…'))}.` : ''
}
