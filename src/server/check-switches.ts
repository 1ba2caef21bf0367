import { contracts } from '../../schemas/contracts.js'
import { ERRORS_SHOWN, isByOperation, switchedOperations } from '../api/switches.js'
import { ERROR_PLACES } from '../engine/contract/bodies.js'
import type { Contract, Success } from '../engine/contract/contract.js'
import { isObject } from '../engine/contract/json.js'
import { didYouMean, quote } from '../engine/contract/wording.js'
import type { DataComplaint } from '../engine/files/validate-source.js'

const errorPlaces = Object.keys(ERROR_PLACES)

/** Complaints about the templates under the key `interpretations` of a config. Wrong types are left to the schema. */
export function checkSwitches(data: unknown): readonly DataComplaint[] {
  if (!isObject(data) || !isObject(data.interpretations)) return []
  const { errorBody, ...others } = data.interpretations
  const found = [...(isObject(errorBody) ? checkErrorBody(errorBody) : []), ...checkSuccessBodies(others)]
  return found.map((one) => ({ ...one, path: ['interpretations', ...one.path] }))
}

function checkSuccessBodies(switches: Readonly<Record<string, unknown>>): DataComplaint[] {
  return contracts.flatMap((contract: Contract) => {
    const { bodySwitch = '', link, schema } = contract.responses[200] as Success
    const template = switches[bodySwitch]
    if (!isObject(template)) return []
    const places = Object.keys(schema.properties)
    const links = places.filter((name) => schema.properties[name].format === 'uri')
    return checkTemplate(template, [bodySwitch], places, link && links)
  })
}

/** An error body is one template, or has a shape for each operation. */
function checkErrorBody(errorBody: object): DataComplaint[] {
  const isMisspelt = didYouMean(Object.keys(errorBody)[0] ?? '', switchedOperations) !== ''
  if (!isByOperation(errorBody) && !isMisspelt) return checkTemplate(errorBody, ['errorBody'], errorPlaces)
  return Object.entries(errorBody).flatMap(([operation, shape]) => {
    const path = ['errorBody', operation]
    if (!switchedOperations.includes(operation)) return [notSwitched(path, operation)]
    return isObject(shape) ? checkTemplate(shape, path, errorPlaces) : []
  })
}

function notSwitched(path: readonly string[], operation: string): DataComplaint {
  const allowed = switchedOperations.join(', ')
  const message = contracts.some(({ id }) => id === operation)
    ? `${quote(operation)} cannot be set: ${ERRORS_SHOWN}. Allowed: ${allowed}.`
    : `There is no operation ${quote(operation)}.${didYouMean(operation, switchedOperations)} Allowed: ${allowed}.`
  return { path, message, about: 'key' }
}

function checkTemplate(
  template: object,
  path: readonly string[],
  places: readonly string[],
  needed = places,
): DataComplaint[] {
  const list = (names: readonly string[], separator: string) => names.map((one) => `{${one}}`).join(separator)
  const found = placeholdersIn(template, path)
  const complaints = found.flatMap(({ path, name, isQuoted }): DataComplaint[] => {
    const place = `'${path.join('.')}'`
    const isKnown = places.includes(name)
    if (isKnown && !isQuoted)
      return [{ path, message: `${place} is an object here. Write the placeholder in quotes, '{${name}}'.` }]
    if (isKnown || !isQuoted) return []
    const message = `${place} has the unknown placeholder {${name}}.${didYouMean(name, places)} Allowed: ${list(places, ', ')}.`
    return [{ path, message }]
  })
  if (complaints.length > 0 || found.some(({ name }) => needed.includes(name))) return complaints
  return [{ path, message: `'${path.join('.')}' must contain ${list(needed, ' or ')} where its value belongs.` }]
}

interface Placeholder {
  readonly path: readonly string[]
  readonly name: string
  readonly isQuoted: boolean
}

/** `{status}` without quotes is an object in YAML, with a key and no value. */
function placeholdersIn(template: unknown, path: readonly string[]): Placeholder[] {
  if (typeof template === 'string')
    return Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({ path, name, isQuoted: true }))
  if (typeof template !== 'object' || template === null) return []
  const entries = Object.entries(template)
  return entries.flatMap(([key, one]) =>
    one === null && entries.length === 1 ? { path, name: key, isQuoted: false } : placeholdersIn(one, [...path, key]),
  )
}
