import { allLocales } from '@faker-js/faker'
import t from 'tap'
import { searchProtectedAttachments, updateSubOrganizationMember } from '../../schemas/index.js'
import { Reading } from '../../src/engine/judge/reading.js'
import type { ReceivedRequest } from '../../src/engine/judge/received-request.js'

/** Damaged texts in faker's data: a joiner after a blank, and UTF-8 read as Latin-1. */
const DAMAGED: ReadonlySet<string> = new Set(['سیبوبه ‌', 'مهرزاده ‌', 'Ã\u0096mer'])

const ODD = ['«Rosneft»', '3Ді', 'чай, чек', '«çin', 'где?когда', 'https://a.example/x?id', '[PayPal]', 'Ді-Ді']

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function localeTexts(): string[] {
  const locales: readonly Readonly<Record<string, unknown>>[] = Object.values(allLocales)
  const parts = locales.flatMap(({ person, location, word, lorem }) => [person, location, word, lorem, ODD])
  const allTexts = new Set(parts.flatMap(textsIn).map((text) => text.trim()))
  // Skips faker's templates.
  const texts = [...allTexts].filter((text) => !/[{}#\n]/.test(text) && text !== '' && !DAMAGED.has(text))
  return [...new Set(texts.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()]))]
}

function requestOf(part: 'query' | 'form', values: Readonly<Record<string, string>>): ReceivedRequest {
  const body = { form: null, text: null, bytes: null, unreadable: null, recoveredForm: null, isCut: false }
  const caller = { token: undefined, tokenHeader: '', preferences: null }
  return { method: 'PUT', url: '/', headers: {}, params: {}, query: {}, ...body, ...caller, [part]: values }
}

t.test('no name, city or word of any locale is reported as a mistake', async (t) => {
  const texts = localeTexts()
  t.ok(texts.length > 100_000, `${texts.length} texts`)
  const wrong = texts.filter((text) => {
    const asName = new Reading(updateSubOrganizationMember, requestOf('form', { first_name: text, last_name: text }))
    const asKeyword = new Reading(searchProtectedAttachments, requestOf('query', { 'keyword[sample_1]': text }))
    return asName.slips.length + asKeyword.slips.length > 0
  })
  t.same(wrong, [], 'no text has a slip')
})
