import { didYouMean, quote } from '../contract/wording.js'
import { safeDecodeURIComponent } from '../judge/decode.js'
import { entryOf } from './entry.js'
import type { Exchange } from './exchange.js'
import type { Viewer } from './redact.js'

export const MAX_WORDS = 20

export interface JournalFilter {
  readonly operation?: string
  readonly status?: number
  readonly unmatched?: boolean
  /** At most MAX_WORDS words, in any letter case, all of which must occur. */
  readonly search?: string
}

export function createFilter({ operation, status, unmatched, search = '' }: JournalFilter, viewer: Viewer) {
  const words = searchWords(search)
  return (exchange: Exchange): boolean =>
    (operation === undefined || exchange.contract?.id === operation) &&
    (status === undefined || exchange.status === status) &&
    (unmatched === undefined || (exchange.contract === null && exchange.answer.violations.length > 0) === unmatched) &&
    (words.length === 0 || hasWords(exchange, viewer, words))
}

export function searchWords(search: string): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean)
}

function hasWords(exchange: Exchange, viewer: Viewer, words: readonly string[]): boolean {
  const entry = entryOf(exchange, viewer, '')
  const { id, method, url, status, outcome, cause, violations, request, response, effects, mails } = entry
  const plainUrl = safeDecodeURIComponent((url ?? '').replaceAll('+', ' '), '')
  const answer = response && [response.fault, response.headers['x-mock-error'], response.body]
  const violationTexts = violations.map(({ code, message }) => [code, message])
  const records = effects.map(({ collection, key }) => `${collection}/${key}`)
  const head = [id, method, url, plainUrl, status, outcome, cause]
  const json = JSON.stringify([...head, request.body, answer, violationTexts, records, mails])
  const text = json.replaceAll('\\"', '"').replaceAll('\\\\', '\\').toLowerCase()
  return words.every((word) => text.includes(word))
}

export function describeUnknownOperation(name: string, ids: readonly string[]): string {
  return `There is no operation ${quote(name)}.${didYouMean(name, ids)} Operations: ${ids.join(', ')}.`
}
