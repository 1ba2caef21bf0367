import type { TSchema } from '@sinclair/typebox'
import { bodySchema } from '../../schemas/bodies.js'
import { basisOf, type Cites, citesOf, joinedCites } from '../../schemas/cites.js'
import { type Contract, isGatewayStatus, isSuccess, type Response, statusesOf } from '../../schemas/contract.js'
import { BODILESS } from '../../schemas/scenario.js'
import { errorsAreOpen, MISSING_USER_TYPE, statusIsOpen } from '../../schemas/switches.js'
import { isObject, jsonOr } from '../text/json.js'
import { allowed, quote } from '../text/wording.js'
import { checkOf, type Departure } from './check.js'
import type { Deviation } from './violation.js'

const NONE: readonly Deviation[] = Object.freeze([])

/** Every way in which an answer's body departs from its contract; it is noted, never repaired. */
export function checkBody(
  contract: Contract,
  status: number,
  schema: TSchema | undefined,
  body: unknown,
  meant: boolean,
): readonly Deviation[] {
  if (schema === undefined) return [{ ...undeclaredStatus(contract, status), meant }]
  const departures = checkOf(schema)(body)
  if (departures.length === 0) return NONE
  return departures.map((departure) => ({ ...bodyDeviation(contract, status, departure), meant }))
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  /** Empty where it has none. */
  readonly contentType: string
  readonly text: string
  /** Whether its request had no user type, or another one: which status that gets is open (I-04). */
  readonly lacksUserType?: boolean
}

/** Every way in which an answer departs from its contract: its status, its content type, its body. */
export function checkAnswer(
  contract: Contract,
  { status, contentType, text, lacksUserType }: WireAnswer,
): readonly Deviation[] {
  if (isGatewayStatus(contract, status)) return NONE
  const declared = declaredStatus(contract, status)
  const found: Deviation[] = status in contract.responses ? [] : [undeclaredStatus(contract, status, lacksUserType)]
  // "Response bodies are JSON" holds for answers whose status is undeclared as well, but not for redirects.
  if (status >= 300 && status < 400) return found
  if (!JSON_TYPE.test(contentType)) found.push(wrongType(contentType))
  const body = jsonOr(text, undefined)
  if (body === undefined) return [...found, noJson(text)]
  const schema = declared === undefined ? undefined : bodySchema(contract, declared)
  if (schema === undefined) return found
  const departures = checkOf(schema)(body).map((departure) => bodyDeviation(contract, declared as number, departure))
  return [...found, ...distinct(departures), ...missingLink(contract.responses[declared as number], body)]
}

/** A value may depart from its type and from several limits: it is reported once, with all of them. */
function distinct(deviations: readonly Deviation[]): Deviation[] {
  const byMessage = new Map<string, Deviation>()
  for (const one of deviations) {
    const known = byMessage.get(one.message)
    const cites = joinedCites(known?.cites, one.cites)
    byMessage.set(one.message, { ...one, cites, basis: basisOf(cites) })
  }
  return [...byMessage.values()]
}

/** Of a body that is to hold a link the fields are not shown: any will do. */
function missingLink(response: Response | undefined, body: unknown): Deviation[] {
  if (!isSuccess(response) || response.bodySwitch === undefined || !isObject(body) || linksIn(body).length > 0)
    return []
  return [deviation('no-link', 'The body contains no link: none of its texts is a URL.', 'body', ['S7.4'])]
}

/** The links in a value, wherever they stand. */
export function linksIn(value: unknown): string[] {
  if (typeof value === 'string') return /^(?:https?:\/\/|\/)\S+$/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(linksIn) : []
}

const JSON_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i

/** The declared answer that an answer is compared with: its own, or that of another success; an error is like others. */
export function declaredStatus(contract: Contract, status: number): number | undefined {
  if (status in contract.responses) return status
  const success = status >= 200 && status < 300
  return statusesOf(contract).find((one) => isSuccess(contract.responses[one]) === success)
}

function deviation(code: string, message: string, where: string, cites: Cites): Deviation {
  return { code, message, where, meant: false, basis: basisOf(cites), cites }
}

/** What it says of an answer that its operation does not declare its status. */
export function undeclaredStatus(contract: Contract, status: number, lacksUserType = false): Deviation {
  const message = `${contract.id} declares ${statusesOf(contract).join(', ')}, not ${status}.`
  const isOpen = lacksUserType && MISSING_USER_TYPE.some((one) => one === status)
  const cites: Cites = isOpen ? ['I-04'] : undeclaredCites(contract, status)
  return deviation('undeclared-status', message, 'status', cites)
}

/** What declares the statuses of an operation: the document, or an interpretation where it leaves them open. */
function undeclaredCites(contract: Contract, status: number): Cites {
  // An answer without a body is none that the document shows.
  if (BODILESS.has(status)) return bodyCites(contract)
  const broughtIn = contract.switched?.[status]
  if (broughtIn !== undefined) return readingsIn(broughtIn.cites)
  if (status >= 200 && status < 300)
    return statusIsOpen(contract) ? ['I-01'] : (successOf(contract)?.cites ?? contract.cites)
  const open = Object.values(contract.responses).find(({ provenance }) => provenance === 'assumed')
  // "4xx or 5xx": any of them will do.
  if (status >= 400 && open !== undefined) return readingsIn(open.cites)
  return contract.responses[contract.invalid]?.cites ?? contract.cites
}

/** What shows the body of a success. */
function bodyCites(contract: Contract): Cites {
  const success = successOf(contract)
  return (isSuccess(success) ? citesOf(success.schema) : undefined) ?? contract.cites
}

function successOf({ responses }: Contract): Response | undefined {
  return Object.values(responses).find(isSuccess)
}

function readingsIn(cites: Cites): Cites {
  const [first = 'I-02', ...others] = cites.filter((cite) => cite.startsWith('I-'))
  return [first, ...others]
}

function wrongType(contentType: string): Deviation {
  const given = contentType === '' ? 'nothing' : quote(contentType)
  return deviation(
    'wrong-content-type',
    `The content type must be application/json, not ${given}.`,
    'headers.content-type',
    ['S0.3'],
  )
}

function noJson(text: string): Deviation {
  const message = text === '' ? 'The body is empty: it must be JSON.' : `The body must be JSON, not ${quote(text)}.`
  return deviation('no-json', message, 'body', ['S0.3'])
}

/** What a departure of a body says of the answer. */
function bodyDeviation(contract: Contract, status: number, departure: Departure): Deviation {
  const { path, keyword, expected, value } = departure
  const where = ['body', ...path].join('.')
  const cites = citesForBody(contract, contract.responses[status] as Response, departure)
  return keyword === 'required'
    ? deviation('missing-property', `'${where}' is missing: the contract declares ${allowed(expected)}.`, where, cites)
    : deviation('invalid-property', `'${where}' must be ${allowed(expected)}, not ${quote(value)}.`, where, cites)
}

/** That UTC is written with a Z is an interpretation. */
function isUtc({ keyword, value }: Departure): boolean {
  return keyword === 'pattern' && typeof value === 'string' && /T.+[+-]00:?00$/.test(value)
}

/** What a departure is one of: of what the document shows of a body, or of what we made of its silence. */
function citesForBody(contract: Contract, response: Response, departure: Departure): Cites {
  const { path, keyword, expected } = departure
  if (isUtc(departure)) return ['I-22']
  if (isSuccess(response)) return citesOf(expected, keyword) ?? citesOf(response.schema) ?? response.cites
  if (!errorsAreOpen(contract)) return citesOf(expected, keyword) ?? ['SE.7']
  // Where nothing is shown of an error, it may still be said that it is an object.
  const isObject = response.cites.includes('S7.6') && path.length === 0
  return isObject ? ['S7.6'] : ['I-02']
}
