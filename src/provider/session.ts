import type { TSchema } from '@sinclair/typebox'
import { bodySchema } from '../../schemas/bodies.js'
import { allCitesOf, type Cite, type Cites } from '../../schemas/cites.js'
import { type Contract, isRead, successStatusOf } from '../../schemas/contract.js'
import type { InterpretationId, SwitchName } from '../../schemas/interpretations.js'
import { errorsAreOpen } from '../../schemas/switches.js'
import { quote } from '../text/wording.js'
import { checkAnswer, declaredStatus, undeclaredStatus } from '../validation/deviations.js'
import { foldDeviations } from '../validation/fold-deviations.js'
import { type Changes, changed, type Request, type Token, USER, type Values } from './calls.js'
import { valueText } from './interpretations/words.js'
import type { Answer, Sender } from './sender.js'

/**
 * `ok`: as documented; `drift`: documented, and otherwise; `differs`: departs from one of our interpretations;
 * `unchecked`: with the reason.
 */
export type State = 'ok' | 'drift' | 'differs' | 'unchecked'

/** What was found about some statements or interpretations, at one place of one operation. */
export interface Finding {
  readonly state: State
  readonly cites: readonly Cite[]
  readonly operation: string
  /** Such as `status`, or `histories[*].created_at`; empty for what has no place. */
  readonly where: string
  readonly message: string
  readonly count: number
  readonly of: number
  /** The switch that would make the mock do the same: `--strict` counts it. */
  readonly switch?: SwitchName
}

/** A field of an answer that the document does not know: it may be there. */
export interface AdditionalField {
  readonly operation: string
  readonly where: string
  readonly type: string
}

/** A run of `verify`, and what it has found. */
export class Session {
  readonly contracts: readonly Contract[]
  readonly sender: Sender
  readonly values: Values
  readonly allowWrites: boolean
  readonly findings = new Map<string, Finding>()
  readonly additional = new Map<string, AdditionalField>()
  /** What stays at the provider. */
  readonly left = new Set<string>()
  /** Answers that show the value of a switch. */
  readonly seen = new Map<SwitchName, { readonly answer: Answer; readonly value: unknown }[]>()
  /** Operations that know the records of the contracts' examples. */
  readonly withExamples = new Set<string>()
  readonly judged = new WeakSet<Answer>()

  constructor(contracts: readonly Contract[], sender: Sender, values: Values, allowWrites: boolean) {
    this.contracts = contracts
    this.sender = sender
    this.values = values
    this.allowWrites = allowWrites
  }

  add(state: State, cites: readonly Cite[], found: Partial<Finding>): void {
    const { operation = '', where = '', message = '', count = 1, of = 1 } = found
    const key = JSON.stringify([state, operation, where, cites, where.includes('[*]') || message])
    const known = this.findings.get(key)
    const sums = { count: count + (known?.count ?? 0), of: of + (known?.of ?? 0) }
    this.findings.set(key, { ...found, state, cites, operation, where, message: known?.message ?? message, ...sums })
  }
}

interface Expectation {
  /** By default that of a success. */
  readonly status?: number
  /** Other statuses that are an answer to it as well, by the interpretation that says so. */
  readonly otherwise?: Partial<Record<InterpretationId, readonly number[]>>
  /** Why the expected status would prove nothing. */
  readonly masked?: string | undefined
  /** Whether the call names data that may not exist at the provider. */
  readonly needsData?: boolean
}

export const CLIENT_ERRORS: readonly number[] = Array.from({ length: 100 }, (_, at) => 400 + at)
export const ERRORS: readonly number[] = Array.from({ length: 200 }, (_, at) => 400 + at)

const ADDRESS = /[^\s@<>"']+@[^\s@<>"']+/g
/** Statements that the shape of a field does not show; the checks of operations do. */
const BEYOND_SHAPES: ReadonlySet<Cite> = new Set<Cite>(['S3.7', 'S4.8', 'S5.7', 'S5.10', 'SE.8'])

/** One operation of a provider, to be called and judged. */
export class Operation {
  readonly contract: Contract
  readonly session: Session

  constructor(contract: Contract, session: Session) {
    this.contract = contract
    this.session = session
  }

  get complete(): Request {
    return this.session.values.complete(this.contract)
  }

  /** Whether the requests name what the default fixtures has, and a read has shown that it is there. */
  get isDefault(): boolean {
    const { values, withExamples } = this.session
    if (values.isGiven(this.contract)) return false
    return isRead(this.contract) ? withExamples.has(this.contract.id) : withExamples.size > 0
  }

  get isKnown(): boolean {
    return this.session.values.isGiven(this.contract) || this.isDefault
  }

  /** Sends the complete request with some changes, by default as the user. */
  send(changes: Changes = {}, options?: { token?: Token | null; again?: number }): Promise<Answer> {
    return this.sendRequest(changed(this.complete, changes), options)
  }

  sendRequest(request: Request, options: { token?: Token | null; again?: number } = {}): Promise<Answer> {
    return this.session.sender.send({ contract: this.contract, token: USER, ...options, ...request })
  }

  add(state: State, cites: readonly Cite[], found: Partial<Finding> = {}): void {
    this.session.add(state, cites, { ...found, operation: this.contract.id })
  }

  holds(cites: Cites): void {
    this.add('ok', cites)
  }

  unchecked(cites: Cites, message: string): void {
    this.add('unchecked', cites, { message })
  }

  /** Notes that statements hold, or that they do not, where and how. */
  claim(isTrue: boolean, cites: Cites, where: string, message: string, counts: Partial<Finding> = {}): void {
    if (isTrue) this.holds(cites)
    else this.add('drift', cites, { where, message, ...counts })
  }

  /** Notes that an answer shows the value of a switch, if some value gives it. */
  sees(name: SwitchName, answer: Answer, value: unknown): void {
    const { seen } = this.session
    if (value !== undefined) seen.set(name, [...(seen.get(name) ?? []), { answer, value }])
  }

  /** `invalid` for a refusal, the other value for a success. */
  invalidOr<T>({ status }: Answer, other: T): T | 'invalid' | undefined {
    return isSuccess({ status }) ? other : status === this.contract.invalid ? 'invalid' : undefined
  }

  leaves(what: string): void {
    this.session.left.add(what)
  }

  /** Compares an answer with what is expected; returns whether it is so, if need be by another interpretation. */
  expect(answer: Answer, call: string, cites: Cites, expected: Expectation = {}): boolean {
    const { status = successStatusOf(this.contract), otherwise = {}, masked, needsData = false } = expected
    if (needsData && this.#isUnknownData(answer)) {
      const { user_type: _, ...named } = { ...answer.call.params, ...answer.call.query, ...answer.call.form }
      const what = `the named data (${Object.keys(named).join(', ')})`
      this.unchecked(cites, `Answered with ${answer.status}: ${what} may not exist at the provider. ${this.dataAdvice}`)
      return false
    }
    if (answer.status === status) {
      this.add(masked === undefined ? 'ok' : 'unchecked', cites, { message: masked ?? '' })
      this.judgeBody(answer)
      return true
    }
    const message = `${call} is answered with ${answer.status}, not ${status}.`
    const isOtherSuccess = isSuccess({ status }) && isSuccess(answer)
    const isOpenSuccess =
      isOtherSuccess &&
      !(answer.status in this.contract.responses) &&
      undeclaredStatus(this.contract, answer.status).basis === 'interpretation'
    const others = isOtherSuccess ? { 'I-01': isOpenSuccess ? [answer.status] : [] } : otherwise
    const interpretation = Object.entries(others).find(([, statuses]) => statuses.includes(answer.status))?.[0]
    if (interpretation === undefined) {
      const advice = needsData && ![401, 403].includes(answer.status) ? this.dataAdvice : ''
      const words = [message, adviceOn(answer, status), advice].filter((one) => one !== '')
      this.claim(false, cites, 'status', words.join(' '))
      return false
    }
    if (isOtherSuccess) this.holds(cites)
    this.add('differs', [...cites, interpretation as InterpretationId], { where: 'status', message })
    this.judgeBody(answer)
    return true
  }

  get dataAdvice(): string {
    return `Name data of ${this.contract.id} that exists there with --data FILE.`
  }

  /** Whether a call may have failed because the provider does not have what the examples name. */
  #isUnknownData({ status }: Answer): boolean {
    // An unknown organization of an invitation is 400 or 404 (I-07).
    const { id, responses } = this.contract
    const statuses = id === 'addOrganizationMember' ? [400, 404] : [404, 422].filter((one) => one in responses)
    return statuses.includes(status) && !this.isKnown
  }

  /** Compares the body of an answer, once, with what the contract declares for its status. */
  judgeBody(answer: Answer): void {
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
    const held = new Set(['S0.3' as const, ...parts.flatMap(({ schema }) => (schema ? allCitesOf(schema) : []))])
    for (const cite of held) if (!departed.has(cite) && !BEYOND_SHAPES.has(cite)) this.holds([cite])
    for (const { place: where, value } of parts.filter(({ schema }) => schema === undefined)) {
      const type = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
      session.additional.set(`${contract.id}${where}`, { operation: contract.id, where, type })
    }
    const code = member(body, 'error', 'code')
    if (!isOpen && !isSuccess(answer) && typeof code === 'number')
      this.claim(code === status, ['SE.7'], 'error.code', `It must be the status ${status}, not ${code}.`)
  }
}

/** A part of a body that is there; its schema is undefined where the contract does not know it. */
interface Part {
  readonly place: string
  readonly schema: TSchema | undefined
  readonly value: unknown
}

function partsOf(schema: TSchema | undefined, value: unknown, place = ''): readonly Part[] {
  if (value === undefined) return []
  const own = { place, schema, value }
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

export const isSuccess = ({ status }: Pick<Answer, 'status'>) => status >= 200 && status < 300

export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>> | null)?.[key], value)
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** What helps with an unexpected outcome: what to do, or what the provider says of it, without addresses. */
function adviceOn({ status, location, body }: Answer, expected: number): string {
  if (status >= 300 && status < 400) return `It redirects to ${quote(location)}.`
  if (status === 401) return 'The token was not accepted. Pass one that is valid at the provider with --token.'
  if (status === 403 && expected !== 401)
    return "The token's user may not do this. Pass the token of a user who may with --token."
  const said = member(body, 'error', 'message') ?? member(body, 'message') ?? member(body, 'detail')
  return status >= 400 && typeof said === 'string' ? `It says ${quote(said.replace(ADDRESS, '…@…'))}.` : ''
}
