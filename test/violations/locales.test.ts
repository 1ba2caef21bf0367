import { allLocales } from '@faker-js/faker'
import t from 'tap'
import { searchProtectedAttachments, updateSubOrganizationMember } from '../../schemas/index.js'
import { Reading } from '../../src/engine/judge/reading.js'
import type { ReceivedRequest } from '../../src/engine/judge/received-request.js'

/** Texts that faker has damaged: joiners behind a blank, and UTF-8 read as Latin-1. */
const DAMAGED: ReadonlySet<string> = new Set(['سیبوبه ‌', 'مهرزاده ‌', 'Ã\u0096mer'])

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function drawn(): string[] {
  const parts = Object.values(allLocales).flatMap((locale) => {
    const { person, location, word, lorem } = locale as Readonly<Record<string, unknown>>
    return [person, location, word, lorem]
  })
  const written = new Set(parts.flatMap(textsIn).map((text) => text.trim()))
  // Skips faker's patterns, from which it makes texts.
  const texts = [...written].filter((text) => !/[{}#\n]/.test(text) && text !== '' && !DAMAGED.has(text))
  return [...new Set(texts.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()]))]
}

function requestOf(part: 'query' | 'form', values: Readonly<Record<string, string>>): ReceivedRequest {
  const body = { form: null, text: null, bytes: null, unreadable: null, recoveredForm: null, isCut: false }
  const caller = { token: undefined, tokenHeader: '', preferences: null }
  return { method: 'PUT', url: '/', headers: {}, params: {}, query: {}, ...body, ...caller, [part]: values }
}

t.test('no name, city or word of any locale is taken for a mistake', async (t) => {
  const texts = drawn()
  t.ok(texts.length > 100_000, `${texts.length} texts`)
  const wrong = texts.filter((text) => {
    const asName = new Reading(updateSubOrganizationMember, requestOf('form', { first_name: text, last_name: text }))
    const asKeyword = new Reading(searchProtectedAttachments, requestOf('query', { 'keyword[sample_1]': text }))
    return asName.slips.length + asKeyword.slips.length > 0
  })
  t.same(wrong, [], 'none has a violation')
})
