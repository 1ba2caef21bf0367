import type { TSchema } from '@sinclair/typebox'
import { findMismatches, type Mismatch } from '../contract/check.js'
import { basisOf, type Cites, citesOf, interpretationsIn, isStatement, joinedCites } from '../contract/cites.js'
import {
  BODILESS,
  type Contract,
  isGatewayStatus,
  isRedirect,
  isSuccess,
  type Response,
  statusesOf,
  statusIsOpen,
} from '../contract/contract.js'
import { bodySchema, errorsAreOpen } from '../contract/envelopes.js'
import { isObject, jsonOr } from '../contract/json.js'
import { describeAllowed, quote } from '../contract/wording.js'
import type { Deviation } from './violation.js'

export function checkBody(contract: Contract, status: number, body: unknown, meant: boolean): readonly Deviation[] {
  const schema = bodySchema(contract, status)
  const found =
    schema === undefined ? [undeclaredStatus(contract, status)] : bodyDeviations(contract, status, schema, body)
  return meant ? found.map((one) => ({ ...one, meant })) : found
}

export interface WireAnswer {
  readonly status: number
  readonly contentType: string
  readonly text: string | undefined
  /** The document may leave the status open for some query values. */
  readonly query?: Readonly<Record<string, unknown>>
}

export const BYTE_ORDER_MARK = /^\ufeff/

export function checkAnswer(contract: Contract, { status, contentType, text, query }: WireAnswer) {
  if (isGatewayStatus(contract, status)) return []
  const found = status in contract.responses ? [] : [undeclaredStatus(contract, status, query)]
  // "Response bodies are JSON" also covers undeclared statuses, but not redirects.
  if (text === undefined || isRedirect(status)) return found
  if (!JSON_TYPE.test(contentType)) {
    const given = contentType === '' ? 'nothing' : quote(contentType)
    const message = `The content type must be application/json, not ${given}.`
    found.push(deviation('wrong-content-type', message, 'headers.content-type', [contract.conventions.json]))
  }
  const json = text.replace(BYTE_ORDER_MARK, '')
  if (json !== text) {
    const message = 'The body begins with a byte order mark, which JSON must not (RFC 8259, section 8.1).'
    found.push(deviation('byte-order-mark', message, 'body', [contract.conventions.json]))
  }
  const body = jsonOr(json, undefined)
  if (body === undefined) {
    const message = text === '' ? 'The body is empty: it must be JSON.' : `The body must be JSON, not ${quote(text)}.`
    return [...found, deviation('no-json', message, 'body', [contract.conventions.json])]
  }
  const declared = declaredStatus(contract, status)
  const schema = declared === undefined ? undefined : bodySchema(contract, declared)
  if (declared === undefined || schema === undefined) return found
  const ofBody = [...found, ...joined(bodyDeviations(contract, declared, schema, body))]
  const response = contract.responses[declared]
  if (!isSuccess(response) || response.link === undefined || !isObject(body) || linksIn(body).length > 0) return ofBody
  const message = 'The body contains no link: none of its texts is an absolute URL.'
  return [...ofBody, deviation('no-link', message, 'body', response.link)]
}

/** Merges deviations with the same message, as of a type and its limits. */
function joined(deviations: readonly Deviation[]): Deviation[] {
  const byMessage = new Map<string, Deviation>()
  for (const one of deviations) {
    const cites = joinedCites(byMessage.get(one.message)?.cites, one.cites)
    byMessage.set(one.message, { ...one, cites, basis: basisOf(cites) })
  }
  return [...byMessage.values()]
}

/** Absolute ones: a recipient gets them by e-mail. */
export function linksIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\/\S+$/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(linksIn) : []
}

const JSON_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i

/** The status whose schema applies: its own, or that of another success or error. */
export function declaredStatus(contract: Contract, status: number): number | undefined {
  if (status in contract.responses) return status
  const success = status >= 200 && status < 300
  return statusesOf(contract).find((one) => isSuccess(contract.responses[one]) === success)
}

function deviation(code: string, message: string, where: string, cites: Cites): Deviation {
  return { code, message, where, meant: false, basis: basisOf(cites), cites }
}

export function undeclaredStatus(contract: Contract, status: number, query?: WireAnswer['query']): Deviation {
  const message = `${contract.id} declares ${statusesOf(contract).join(', ')}, not ${status}.`
  const cites = openCites(contract, status, query) ?? undeclaredCites(contract, status)
  return deviation('undeclared-status', message, 'status', cites)
}

function openCites({ query: { properties } }: Contract, status: number, query: WireAnswer['query']): Cites | undefined {
  if (query === undefined) return undefined
  const open = Object.entries(properties).flatMap(([name, { enum: values = [], 'x-open-statuses': one }]) =>
    one?.statuses.includes(status) && !values.includes(query[name]) ? one.cites : [],
  )
  return open.length === 0 ? undefined : joinedCites(open)
}

function undeclaredCites(contract: Contract, status: number): Cites {
  const { responses, switched, invalidStatus, cites } = contract
  const success = Object.values(responses).find(isSuccess)
  // The document shows a body, and these statuses have none.
  if (BODILESS.has(status)) return (success && citesOf(success.schema)) ?? cites
  const broughtIn = switched?.[status]
  if (broughtIn !== undefined) return oursIn(contract, broughtIn.cites)
  if (status >= 200 && status < 300)
    return statusIsOpen(contract) ? [contract.conventions.successStatus] : (success?.cites ?? cites)
  const open = Object.values(responses).find(({ provenance }) => provenance === 'assumed')
  // "4xx or 5xx" allows every status.
  if (status >= 400 && open !== undefined) return oursIn(contract, open.cites)
  return (invalidStatus && responses[invalidStatus])?.cites ?? cites
}

function oursIn({ conventions }: Contract, cites: Cites): Cites {
  const [first = conventions.openErrorBody, ...others] = interpretationsIn(cites)
  return [first, ...others]
}

function bodyDeviations(contract: Contract, status: number, schema: TSchema, body: unknown): Deviation[] {
  const found = findMismatches(schema, body).filter(({ keyword }) => keyword !== 'unchecked')
  return found.map((mismatch) => {
    const { path, keyword, expected, value } = mismatch
    const where = ['body', ...path].join('.')
    const cites = citesForBody(contract, contract.responses[status] as Response, mismatch)
    const allowed = describeAllowed(keyword === 'format' ? expected : withoutOpenFormat(expected))
    return keyword === 'required'
      ? deviation('missing-property', `'${where}' is missing: the contract declares ${allowed}.`, where, cites)
      : deviation('invalid-property', `'${where}' must be ${allowed}, not ${quote(value)}.`, where, cites)
  })
}

function withoutOpenFormat(schema: TSchema): TSchema {
  return citesOf(schema, 'format')?.some(isStatement) ? schema : ({ ...schema, format: undefined } as TSchema)
}

function citesForBody(contract: Contract, response: Response, { path, keyword, expected, value }: Mismatch): Cites {
  // "UTC ends in Z" is an interpretation.
  if (keyword === 'pattern' && typeof value === 'string' && /[+-]00:?00$/.test(value))
    return [contract.conventions.times]
  if (isSuccess(response)) return citesOf(expected, keyword) ?? citesOf(response.schema) ?? response.cites
  if (!errorsAreOpen(contract)) return citesOf(expected, keyword) ?? [contract.conventions.errorBody]
  return path.length === 0 && response.anyStatus !== undefined
    ? response.anyStatus
    : [contract.conventions.openErrorBody]
}
