import type { TSchema } from '@sinclair/typebox'
import { findMismatches, type Mismatch } from '../contract/check.js'
import { basisOf, type Cites, citesOf, interpretationsIn, isStatement, joinCites } from '../contract/cites.js'
import {
  BODILESS,
  type Contract,
  isGatewayStatus,
  isRedirect,
  isSuccess,
  isSuccessStatusAssumed,
  type Response,
  statusesOf,
} from '../contract/contract.js'
import { bodySchema, showsNoErrorBody } from '../contract/envelopes.js'
import { isObject, JSON_MEDIA_TYPE, jsonOr } from '../contract/json.js'
import { describeAllowed, quote } from '../contract/wording.js'
import { foldDeviations } from './fold-deviations.js'
import type { Deviation } from './violation.js'

export function checkResponseBody(contract: Contract, status: number, body: unknown, meant: boolean): Deviation[] {
  const schema = bodySchema(contract, status)
  const deviations =
    schema === undefined ? [undeclaredStatus(contract, status)] : bodyDeviations(contract, status, schema, body)
  return deviations.map((deviation) => ({ ...deviation, meant }))
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
  // A 304 confirms an answer that the client has kept.
  if (isGatewayStatus(contract, status) || status === 304) return []
  const deviations = status in contract.responses ? [] : [undeclaredStatus(contract, status, query)]
  // "Response bodies are JSON" also covers undeclared statuses, but not redirects.
  if (text === undefined || isRedirect(status)) return deviations
  const { json } = contract.conventions
  if (!JSON_MEDIA_TYPE.test(contentType)) {
    const actual = contentType === '' ? 'nothing' : quote(contentType)
    const message = `The content type must be application/json, not ${actual}.`
    deviations.push(deviation('wrong-content-type', message, 'headers.content-type', [json]))
  }
  const textWithoutMark = text.replace(BYTE_ORDER_MARK, '')
  if (textWithoutMark !== text) {
    const message = 'The body begins with a byte order mark, which JSON forbids (RFC 8259, section 8.1).'
    deviations.push(deviation('byte-order-mark', message, 'body', [json]))
  }
  const body = jsonOr(textWithoutMark, undefined)
  if (body === undefined) {
    const message = text === '' ? 'The body is empty: it must be JSON.' : `The body must be JSON, not ${quote(text)}.`
    return [...deviations, deviation('no-json', message, 'body', [json])]
  }
  const schemaStatus = statusOfSchema(contract, status)
  const schema = schemaStatus === undefined ? undefined : bodySchema(contract, schemaStatus)
  if (schemaStatus === undefined || schema === undefined) return deviations
  deviations.push(...bodyDeviations(contract, schemaStatus, schema, body))
  const response = contract.responses[schemaStatus]
  if (isSuccess(response) && response.linkCites !== undefined && isObject(body) && linksIn(body).length === 0) {
    const message = 'The body contains no link: none of its texts is an absolute URL.'
    deviations.push(deviation('no-link', message, 'body', response.linkCites))
  }
  return deviations
}

/** Two rules that one value breaks may have the same message. */
function mergeByMessage(deviations: readonly Deviation[]): Deviation[] {
  const byMessage = new Map<string, Deviation>()
  for (const deviation of deviations) {
    const cites = joinCites(byMessage.get(deviation.message)?.cites, deviation.cites)
    byMessage.set(deviation.message, { ...deviation, cites, basis: basisOf(cites) })
  }
  return [...byMessage.values()]
}

/** Absolute URLs only: a recipient gets the link by e-mail. */
export function linksIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\/\S+$/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(linksIn) : []
}

/** The status whose schema applies: the status itself if it is declared, else the first success or the first error. */
export function statusOfSchema(contract: Contract, status: number): number | undefined {
  if (status in contract.responses) return status
  const isSuccessful = status >= 200 && status < 300
  return statusesOf(contract).find((declared) => isSuccess(contract.responses[declared]) === isSuccessful)
}

function deviation(code: string, message: string, where: string, cites: Cites): Deviation {
  return { code, message, where, meant: false, basis: basisOf(cites), cites, count: 1, of: 1 }
}

export function undeclaredStatus(contract: Contract, status: number, query?: WireAnswer['query']): Deviation {
  const message = `${contract.id} declares ${statusesOf(contract).join(', ')}, not ${status}.`
  const cites = citesForOpenStatus(contract.query, status, query) ?? citesForUndeclaredStatus(contract, status)
  return deviation('undeclared-status', message, 'status', cites)
}

function citesForOpenStatus({ properties }: Contract['query'], status: number, query: WireAnswer['query']) {
  if (query === undefined) return undefined
  const cites = Object.entries(properties).flatMap(([name, { enum: values = [], 'x-open-statuses': open }]) =>
    open?.statuses.includes(status) && !values.includes(query[name]) ? open.cites : [],
  )
  return cites.length === 0 ? undefined : joinCites(cites)
}

function citesForUndeclaredStatus(contract: Contract, status: number): Cites {
  const { responses, switchedResponses, invalidStatus, cites } = contract
  const success = Object.values(responses).find(isSuccess)
  // These answers lack the body that the document shows.
  if (BODILESS.has(status)) return (success && citesOf(success.schema)) ?? cites
  const switchedResponse = switchedResponses?.[status]
  if (switchedResponse !== undefined) return interpretationCites(contract, switchedResponse.cites)
  if (status >= 200 && status < 300)
    return isSuccessStatusAssumed(contract) ? [contract.conventions.successStatus] : (success?.cites ?? cites)
  const assumedResponse = Object.values(responses).find(({ provenance }) => provenance === 'assumed')
  // The document says "4xx or 5xx": any error is allowed.
  if (status >= 400 && assumedResponse !== undefined) return interpretationCites(contract, assumedResponse.cites)
  return (invalidStatus && responses[invalidStatus])?.cites ?? cites
}

function interpretationCites({ conventions }: Contract, cites: Cites): Cites {
  const [first = conventions.assumedErrorBody, ...others] = interpretationsIn(cites)
  return [first, ...others]
}

const MAX_MISMATCHES = 20_000

function bodyDeviations(contract: Contract, status: number, schema: TSchema, body: unknown): Deviation[] {
  const deviations = findMismatches(schema, body, MAX_MISMATCHES).map((mismatch) => {
    const { path, keyword, expected, value } = mismatch
    const where = ['body', ...path].join('.')
    const cites = citesForBody(contract, contract.responses[status] as Response, mismatch)
    if (keyword === 'unchecked') {
      const message = `Not all items of '${where}' were checked (${value} left), because too many others deviate.`
      return deviation('unchecked-items', message, where, cites)
    }
    const allowed = describeAllowed(keyword === 'format' ? expected : withoutInterpretedFormat(expected))
    return keyword === 'required'
      ? deviation('missing-property', `'${where}' is missing: the contract declares ${allowed}.`, where, cites)
      : deviation('invalid-property', `'${where}' must be ${allowed}, not ${quote(value)}.`, where, cites)
  })
  return foldDeviations(mergeByMessage(deviations), body)
}

function withoutInterpretedFormat(schema: TSchema): TSchema {
  return citesOf(schema, 'format')?.some(isStatement) ? schema : ({ ...schema, format: undefined } as TSchema)
}

function citesForBody(contract: Contract, response: Response, { path, keyword, expected, value }: Mismatch): Cites {
  // Only an interpretation requires times to end in Z.
  if (keyword === 'pattern' && typeof value === 'string' && /[+-]00:?00$/.test(value))
    return [contract.conventions.times]
  if (isSuccess(response)) return citesOf(expected, keyword) ?? citesOf(response.schema) ?? response.cites
  if (!showsNoErrorBody(contract)) return citesOf(expected, keyword) ?? [contract.conventions.documentedErrorBody]
  return path.length === 0 && response.anyStatusCites !== undefined
    ? response.anyStatusCites
    : [contract.conventions.assumedErrorBody]
}
