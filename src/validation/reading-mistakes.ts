import { contracts, type OperationId } from '../../schemas/contracts.js'
import { createSigningLink } from '../../schemas/create-signing-link.js'
import { ERROR_PLACES } from '../../schemas/errors.js'
import { isByOperation, type Readings, switchedOperations } from '../../schemas/readings.js'
import { placeholdersIn } from '../../schemas/template.js'
import { didYouMean, quote } from '../text/wording.js'

/** What is wrong with a reading though its format is right, and where. */
export interface ReadingMistake {
  readonly path: readonly string[]
  readonly message: string
  readonly about: 'key' | 'value'
}

const errorPlaces = Object.keys(ERROR_PLACES)
const linkPlaces = Object.keys(createSigningLink.responses[200].schema.properties)

/** Every mistake in readings that no schema tells: they are about templates, and about what those are for. */
export function readingMistakes({ errorBody, signingLinkBody }: Partial<Readings>): readonly ReadingMistake[] {
  return [
    ...(typeof errorBody === 'object' ? errorBodyMistakes(errorBody) : []),
    ...(signingLinkBody === undefined ? [] : linkMistakes(signingLinkBody)),
  ]
}

function errorBodyMistakes(errorBody: object): ReadingMistake[] {
  if (!isByOperation(errorBody)) {
    // A misspelt operation would be a template that says nothing.
    if (placesIn(errorBody).length > 0) return templateMistakes(errorBody, ['errorBody'], errorPlaces)
    const [key = ''] = Object.keys(errorBody)
    const hint = didYouMean(key, switchedOperations.errorBody)
    const message = `'errorBody' is neither a template, which has {status} or {message} somewhere, nor by operation: ${quote(key)} is none.${hint}`
    return [{ path: ['errorBody', key], message, about: 'key' }]
  }
  return Object.entries(errorBody).flatMap(([operation, shape]) => {
    const path = ['errorBody', operation]
    if (!switchedOperations.errorBody.includes(operation)) return [notSwitched(path, operation)]
    if (typeof shape !== 'object') return []
    if (placesIn(shape).length > 0) return templateMistakes(shape, path, errorPlaces)
    const message = `'${path.join('.')}' is a template that has neither {status} nor {message}: write one of them where its value belongs.`
    return [{ path, message, about: 'value' as const }]
  })
}

function notSwitched(path: readonly string[], operation: string): ReadingMistake {
  const allowed = switchedOperations.errorBody.join(', ')
  const message = contracts.some(({ id }) => id === (operation as OperationId))
    ? `The error body of ${operation} cannot be switched: the document shows it. Allowed: ${allowed}.`
    : `There is no operation ${quote(operation)}.${didYouMean(operation, switchedOperations.errorBody)} Allowed: ${allowed}.`
  return { path, message, about: 'key' }
}

/** The document says that the body holds the link (S7.4). */
function linkMistakes(template: object): ReadingMistake[] {
  const path = ['signingLinkBody']
  const mistakes = templateMistakes(template, path, linkPlaces)
  if (mistakes.length > 0 || placesIn(template).includes('link')) return mistakes
  return [{ path, message: "'signingLinkBody' must have {link} somewhere: the body holds the link.", about: 'value' }]
}

function placesIn(template: unknown): string[] {
  return placeholdersIn(template).flatMap(({ names, inKey }) => (inKey ? [] : names))
}

function templateMistakes(template: unknown, path: readonly string[], places: readonly string[]): ReadingMistake[] {
  const allowed = places.map((place) => `{${place}}`).join(', ')
  return placeholdersIn(template).flatMap(({ path: below, names, inKey }): ReadingMistake[] => {
    const here = [...path, ...below]
    if (inKey) {
      const message = `The key ${quote(here.at(-1))} has a placeholder: they are filled in where they stand in values.`
      return [{ path: here, message, about: 'key' }]
    }
    const unknown = names.find((name) => !places.includes(name))
    if (unknown === undefined) return []
    const hint = didYouMean(unknown, places)
    const message = `'${here.join('.')}' has the unknown placeholder {${unknown}}.${hint} Allowed: ${allowed}.`
    return [{ path: here, message, about: 'value' }]
  })
}
