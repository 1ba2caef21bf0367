import { contracts } from '../../schemas/contracts.js'
import { createSigningLink } from '../../schemas/create-signing-link.js'
import { ERROR_PLACES } from '../../schemas/errors.js'
import { ERRORS_SHOWN, isByOperation, switchedOperations } from '../../schemas/switches.js'
import { placeholdersIn } from '../../schemas/template.js'
import { isObject } from '../text/json.js'
import { didYouMean, quote } from '../text/wording.js'
import type { Mistake } from './explain.js'

const errorPlaces = Object.keys(ERROR_PLACES)
const linkPlaces = Object.keys(createSigningLink.responses[200].schema.properties)

/**
 * Every mistake in the key `interpretations` of some data that no schema tells: they are about templates. What has
 * another type than it should is left to the schema.
 */
export function checkSwitches(data: unknown): readonly Mistake[] {
  if (!isObject(data) || !isObject(data.interpretations)) return []
  const { errorBody, signingLinkBody } = data.interpretations
  const found = [
    ...(isObject(errorBody) ? errorBodyMistakes(errorBody) : []),
    ...(isObject(signingLinkBody) ? linkMistakes(signingLinkBody) : []),
  ]
  return found.map((mistake) => ({ ...mistake, path: ['interpretations', ...mistake.path] }))
}

type Json = Readonly<Record<string, unknown>>

function errorBodyMistakes(errorBody: Json): Mistake[] {
  if (!isByOperation(errorBody)) {
    const mistakes = templateMistakes(errorBody, ['errorBody'], errorPlaces)
    const [key] = Object.keys(errorBody)
    if (mistakes.length > 0 || key === undefined || placesIn(errorBody).length > 0) return mistakes
    // A misspelt operation would be a template that says nothing.
    const hint = didYouMean(key, switchedOperations)
    const message = `'errorBody' must be a template with {status} or {message} in it, or have operations as its keys: ${quote(key)} is not an operation.${hint}`
    return [{ path: ['errorBody', key], message, about: 'key' }]
  }
  return Object.entries(errorBody).flatMap(([operation, shape]) => {
    const path = ['errorBody', operation]
    if (!switchedOperations.includes(operation)) return [notSwitched(path, operation)]
    if (!isObject(shape)) return []
    const mistakes = templateMistakes(shape, path, errorPlaces)
    if (mistakes.length > 0 || placesIn(shape).length > 0) return mistakes
    const message = `'${path.join('.')}' has neither {status} nor {message}. Write one of them where its value belongs.`
    return [{ path, message, about: 'value' as const }]
  })
}

function notSwitched(path: readonly string[], operation: string): Mistake {
  const allowed = switchedOperations.join(', ')
  const message = contracts.some(({ id }) => id === operation)
    ? `${quote(operation)} cannot be switched: ${ERRORS_SHOWN}. Allowed: ${allowed}.`
    : `There is no operation ${quote(operation)}.${didYouMean(operation, switchedOperations)} Allowed: ${allowed}.`
  return { path, message, about: 'key' }
}

/** The document says that the body holds the link (S7.4). */
function linkMistakes(template: Json): Mistake[] {
  const path = ['signingLinkBody']
  const mistakes = templateMistakes(template, path, linkPlaces)
  if (mistakes.length > 0 || placesIn(template).includes('link')) return mistakes
  return [{ path, message: "'signingLinkBody' must contain {link}: the body has to contain the link.", about: 'value' }]
}

function placesIn(template: unknown): string[] {
  return placeholdersIn(template).flatMap(({ names, inKey }) => (inKey ? [] : names))
}

function templateMistakes(template: Json, path: readonly string[], places: readonly string[]): Mistake[] {
  const allowed = places.map((place) => `{${place}}`).join(', ')
  const misplaced = placeholdersIn(template).flatMap(({ path: below, names, inKey }): Mistake[] => {
    const here = [...path, ...below]
    if (inKey) {
      const message = `The key ${quote(here.at(-1))} contains a placeholder, but placeholders are filled in only in values.`
      return [{ path: here, message, about: 'key' }]
    }
    const unknown = names.find((name) => !places.includes(name))
    if (unknown === undefined) return []
    const hint = didYouMean(unknown, places)
    const message = `'${here.join('.')}' has the unknown placeholder {${unknown}}.${hint} Allowed: ${allowed}.`
    return [{ path: here, message, about: 'value' }]
  })
  return [...misplaced, ...unquoted(template, path, places)]
}

/** `{status}` without quotes is an object in YAML, with a key and no value. */
function unquoted(template: unknown, path: readonly string[], places: readonly string[]): Mistake[] {
  if (typeof template !== 'object' || template === null) return []
  const entries = Object.entries(template)
  const [[name, value] = ['', undefined]] = entries
  if (entries.length === 1 && value === null && places.includes(name)) {
    const message = `'${path.join('.')}' is an object here. Write the placeholder in quotes, '{${name}}'.`
    return [{ path, message, about: 'value' }]
  }
  return entries.flatMap(([key, one]) => unquoted(one, [...path, key], places))
}
