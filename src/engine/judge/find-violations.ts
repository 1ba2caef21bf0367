import type { TSchema } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'
import { type Mismatch, mismatchesIn } from '../contract/check.js'
import { basisOf, type Cites, citesOf } from '../contract/cites.js'
import { alternativeFieldsOf, type Contract, changesRecord } from '../contract/contract.js'
import { isFile, type UploadedFile } from '../contract/fields.js'
import { groupBy } from '../contract/group-by.js'
import { findFileProblem } from './file-text.js'
import { METHOD_HEADERS } from './method-override.js'
import { isUpload, type Parameter, parametersOf, type RequestPart } from './parameters.js'
import { Reading } from './reading.js'
import { announcesBody, type KeptRequest, type ReceivedRequest } from './received-request.js'
import { undocumentedValueKind } from './repair.js'
import { type Slip, slipOf, violationFor } from './slip.js'
import { isBlank, isPlain } from './text.js'
import { NO_VIOLATIONS, type Violation } from './violation.js'

export interface RequestViolations {
  readonly schemaViolations: readonly Violation[]
  readonly reportedViolations: readonly Violation[]
  readonly otherViolations: readonly Violation[]
  readonly invalidNames: readonly string[]
  readonly misnamedFiles?: Readonly<Record<string, UploadedFile>> | undefined
}

export const NO_REQUEST_VIOLATIONS: RequestViolations = Object.freeze({
  schemaViolations: NO_VIOLATIONS,
  reportedViolations: NO_VIOLATIONS,
  otherViolations: NO_VIOLATIONS,
  invalidNames: [],
})

/** The fast path: true only if a `Reading` would find no slip. */
export function isPlainRequest(contract: Contract, request: KeptRequest): boolean {
  const { url, headers, query, form, text, unreadable, params } = request
  if (headers.prefer !== undefined || unreadable !== null || text !== null) return false
  if (METHOD_HEADERS.some((name) => headers[name] !== undefined)) return false
  if (/[?&]_|\+/.test(url) || (contract.form === undefined && announcesBody(request))) return false
  let isEmpty = form !== null
  for (const name in form) {
    if (!isPlainField(contract, `form.${name}`, form[name])) return false
    isEmpty = false
  }
  for (const name in query) if (!isPlainField(contract, `query.${name}`, query[name])) return false
  for (const name in params) if (!isPlainField(contract, `path.${name}`, params[name])) return false
  return !isEmpty || !changesRecord(contract)
}

function isPlainField(contract: Contract, field: string, value: unknown): boolean {
  const parameter = parametersOf(contract).get(field)
  if (parameter === undefined) return false
  if (isUpload(value)) return isFile(parameter.schema) && findFileProblem(parameter.name, value) === undefined
  if (typeof value !== 'string' || !isPlain(value)) return false
  return parameter.schema['x-resembles'] === undefined || undocumentedValueKind(value, parameter.schema) === undefined
}

export function findViolations(
  contract: Contract,
  request: ReceivedRequest,
  errors: ReadonlyMap<RequestPart, readonly ErrorObject[]>,
): RequestViolations {
  const reading = new Reading(contract, request)
  const { slips } = reading
  const schemaSlips = [...errors].flatMap(([part, partErrors]) => findSchemaSlips(reading, part, partErrors))
  // An unreadable body may contain the field.
  const wasSent = ({ kind, parameters }: Slip) =>
    request.unreadable !== null && MISSING.has(kind) && parameters.some((one) => reading.isSent(one))
  const slipsToExplain = schemaSlips.filter((slip) => !wasSent(slip))
  const reported = slipsToExplain.map((slip) => slips.find((cause) => explains(cause, slip)) ?? slip)
  const invalidFields = new Set(schemaSlips.map(({ where }) => where))
  const isReported = (slip: Slip) =>
    reported.includes(slip) || slips.some((other) => other !== slip && isAbout(other, slip.where))
  const otherSlips = slips.filter((slip) => !invalidFields.has(slip.where) && !isReported(slip))
  const unreadable = request.unreadable === null ? NO_VIOLATIONS : [request.unreadable]
  return {
    schemaViolations: [...schemaSlips.map(violationFor), ...unreadable],
    reportedViolations: [...Array.from(new Set(reported), violationFor), ...unreadable],
    otherViolations: otherSlips.map(violationFor),
    invalidNames: schemaSlips.map(({ name }) => name),
    misnamedFiles: reading.misnamedFiles,
  }
}

const MISSING: ReadonlySet<Slip['kind']> = new Set(['missing-parameter', 'missing-alternatives'])

/** The best explanation first. */
const RANKS = ['certain', 'repeated', 'documented', 'suspicious', 'padded', 'interpretation'] as const

const RANK_OF: { readonly [kind in Slip['kind']]?: (typeof RANKS)[number] } = {
  'misnamed-*': 'certain',
  'nameless-file': 'certain',
  'unencoded-plus': 'certain',
  'escaped-query': 'certain',
  'repeated-parameter': 'repeated',
  'padded-value': 'padded',
}

function rankOf({ kind, cites }: Slip): number {
  return RANKS.indexOf(RANK_OF[kind] ?? (cites === undefined ? 'suspicious' : basisOf(cites)))
}

function isAbout({ parameters }: Slip, field: string): boolean {
  return parameters.some(({ part, name }) => `${part}.${name}` === field)
}

function explains(cause: Slip, slip: Slip): boolean {
  if (MISSING.has(slip.kind)) return slip.parameters.some(({ part, name }) => isAbout(cause, `${part}.${name}`))
  if (cause.kind === 'unescaped-ampersand') return isAbout(cause, slip.where)
  return cause.where === slip.where && rankOf(cause) < rankOf(slip)
}

/** One slip for each parameter that does not fit its schema. */
function findSchemaSlips(reading: Reading, part: RequestPart, errors: readonly ErrorObject[]): readonly Slip[] {
  const { contract, slips } = reading
  const schema = (part === 'path' ? contract.params : contract[part]) as TSchema
  const mismatchesByName = groupBy(mismatchesIn(errors), ({ path }) => path[0] ?? '')
  return Array.from(mismatchesByName, ([name, [first]]): Slip => {
    const mismatch = first as Mismatch
    const { keyword, value } = mismatch
    const sent = { contract, part, name, value }
    if (keyword === 'anyOf' && name === '') {
      const alternatives = alternativeFieldsOf(contract).flatMap(
        (one) => parametersOf(contract).get(`${part}.${one}`) ?? [],
      )
      return slipOf('missing-alternatives', sent, alternatives, { where: part, cites: citesOf(schema, keyword) })
    }
    const parameter = parametersOf(contract).get(`${part}.${name}`)
    if (parameter === undefined) {
      const slip = slips.find(({ where }) => where === `${part}.${name}`) ?? slipOf('unknown-*', sent, [])
      return slip.kind === 'unknown-*' ? { ...slip, cites: citesOf(schema, keyword) ?? contract.cites } : slip
    }
    const [intendedValue, ...others] = reading.intendedValuesOf(parameter).filter((value) => value !== undefined)
    return slipOf(kindOf(parameter, mismatch), sent, [parameter], {
      intendedValue: typeof intendedValue === 'string' && others.length === 0 ? intendedValue : undefined,
      cites: citesFor(contract, parameter, mismatch) ?? contract.cites,
    })
  })
}

function kindOf({ isRequired }: Parameter, { keyword, value }: Mismatch): Slip['kind'] {
  if (keyword === 'required' || (isRequired && isBlank(value))) return 'missing-parameter'
  if (isBlank(value)) return 'empty-parameter'
  return Array.isArray(value) ? 'repeated-parameter' : 'invalid-parameter'
}

/** Roughly RFC 5321; contracts accept fewer addresses. */
const ADDRESS = /^(?:"[^"]*"|[^@\s<>:]+)@(?:\[[^\]]*\]|[^@\s<>]+)$/

function citesFor(
  { conventions }: Contract,
  { schema, isRequired }: Parameter,
  { keyword, value }: Mismatch,
): Cites | undefined {
  if (isRequired && isBlank(value)) return citesOf(schema, 'required')
  if (Array.isArray(value) && schema.type !== 'array') return [conventions.repeatedNames]
  // `+5`, for example, or a number too large.
  if (schema.type === 'integer' && typeof value === 'string' && /^\+?\d+$/.test(value))
    return citesOf(schema, 'maximum')
  if (schema.format === 'email' && typeof value === 'string' && ADDRESS.test(value)) return [conventions.emailAddresses]
  if (value === '' && schema.format !== undefined) return [conventions.emptyFields]
  // An empty text also fails other limits.
  return citesOf(schema, value === '' && schema.minLength !== undefined ? 'minLength' : keyword)
}
