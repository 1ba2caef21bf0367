import type { TSchema } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'
import { type Mismatch, mismatchesIn } from '../contract/check.js'
import { basisOf, type Cites, citesOf } from '../contract/cites.js'
import type { Contract } from '../contract/contract.js'
import type { UploadedFile } from '../contract/fields.js'
import { type Parameter, parametersOf, type RequestPart } from './parameters.js'
import { Reading } from './reading.js'
import type { ReceivedRequest } from './received-request.js'
import { type Slip, violationFor } from './slip.js'
import { isBlank } from './text.js'
import { NO_VIOLATIONS, type Violation } from './violation.js'

export interface FoundViolations {
  readonly schemaViolations: readonly Violation[]
  readonly explainedViolations: readonly Violation[]
  readonly otherViolations: readonly Violation[]
  readonly invalidNames: readonly string[]
  readonly misnamedFiles?: Readonly<Record<string, UploadedFile>> | undefined
}

export const NOTHING_FOUND: FoundViolations = Object.freeze({
  schemaViolations: NO_VIOLATIONS,
  explainedViolations: NO_VIOLATIONS,
  otherViolations: NO_VIOLATIONS,
  invalidNames: [],
})

export function findViolations(
  contract: Contract,
  request: ReceivedRequest,
  errors: ReadonlyMap<RequestPart, readonly ErrorObject[]>,
): FoundViolations {
  const reading = new Reading(contract, request)
  const { slips } = reading
  const invalid = [...errors].flatMap(([part, ofPart]) => slipsOf(reading, part, ofPart))
  // What an unreadable body holds is not missing.
  const isInBody = ({ kind, parameters }: Slip) =>
    request.unreadable !== null && kind === 'missing-parameter' && parameters.some((one) => reading.isSent(one))
  const reported = invalid.filter((one) => !isInBody(one))
  const explained = reported.map((one) => slips.find((other) => isBetter(other, one)) ?? one)
  const fields = new Set(invalid.map(({ where }) => where))
  const isExplained = (one: Slip) => slips.some((other) => other !== one && isAbout(other, one.where))
  const otherSlips = slips.filter((one) => !explained.includes(one) && !fields.has(one.where) && !isExplained(one))
  const unreadable = request.unreadable === null ? NO_VIOLATIONS : [request.unreadable]
  return {
    schemaViolations: [...invalid.map(violationFor), ...unreadable],
    explainedViolations: [...Array.from(new Set(explained), violationFor), ...unreadable],
    otherViolations: otherSlips.map(violationFor),
    invalidNames: invalid.map(({ name }) => name),
    misnamedFiles: reading.misnamedFiles,
  }
}

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

function isBetter(slip: Slip, invalid: Slip): boolean {
  if (invalid.kind === 'missing-parameter' || slip.kind === 'unescaped-ampersand') return isAbout(slip, invalid.where)
  return slip.where === invalid.where && rankOf(slip) < rankOf(invalid)
}

function slipsOf(reading: Reading, part: RequestPart, errors: readonly ErrorObject[]): readonly Slip[] {
  const { contract, slips } = reading
  const schema = (part === 'path' ? contract.params : contract[part]) as TSchema
  const byName = new Map<string, Mismatch>()
  for (const one of mismatchesIn(errors)) if (!byName.has(one.path[0] ?? '')) byName.set(one.path[0] ?? '', one)
  return Array.from(byName, ([name, mismatch]): Slip => {
    const { keyword, value } = mismatch
    const where = `${part}.${name}`
    const parameter = parametersOf(contract).get(where)
    const base = { contract, part, name, value, where, isRepairable: true }
    if (parameter === undefined) {
      const reported =
        slips.find((one) => one.where === where) ?? ({ ...base, kind: 'unknown-*', parameters: [] } as const)
      return reported.kind === 'unknown-*'
        ? { ...reported, cites: citesOf(schema, keyword) ?? contract.cites }
        : reported
    }
    const [meant, ...others] = reading.meaningsOf(parameter).filter((one) => one !== undefined)
    return {
      ...base,
      kind: kindOf(parameter, mismatch),
      meant: typeof meant === 'string' && others.length === 0 ? meant : undefined,
      parameters: [parameter],
      cites: citesFor(contract, parameter, mismatch) ?? contract.cites,
    }
  })
}

function kindOf({ isRequired }: Parameter, { keyword, value }: Mismatch): Slip['kind'] {
  if (keyword === 'required' || (isRequired && isBlank(value))) return 'missing-parameter'
  if (isBlank(value)) return 'empty-parameter'
  return Array.isArray(value) ? 'repeated-parameter' : 'invalid-parameter'
}

/** Roughly RFC 5321; the contract accepts fewer. */
const ADDRESS = /^(?:"[^"]*"|[^@\s<>:]+)@(?:\[[^\]]*\]|[^@\s<>]+)$/

function citesFor(
  { conventions }: Contract,
  { schema, isRequired }: Parameter,
  { keyword, value }: Mismatch,
): Cites | undefined {
  if (isRequired && isBlank(value)) return citesOf(schema, 'required')
  if (Array.isArray(value) && schema.type !== 'array') return [conventions.repeatedNames]
  // Whole numbers that are written in another way.
  if (schema.type === 'integer' && typeof value === 'string' && /^\+?\d+$/.test(value))
    return citesOf(schema, 'maximum')
  if (schema.format === 'email' && typeof value === 'string' && ADDRESS.test(value)) return [conventions.emailAddresses]
  if (value === '' && schema.format !== undefined) return [conventions.emptyFields]
  // An empty text also fails other limits.
  return citesOf(schema, value === '' && schema.minLength !== undefined ? 'minLength' : keyword)
}
