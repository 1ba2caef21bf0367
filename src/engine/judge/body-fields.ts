import { groupBy } from '../contract/group-by.js'
import { flatTexts, objectIn, repeatedKeyIn } from '../contract/json.js'
import { announcesBody, type KeptRequest } from './received-request.js'

export type Fields = Readonly<Record<string, unknown>>

const LONGEST = 64 * 1024

/** Null without a body, undefined for a body that cannot be read. */
export function bodyOf(request: KeptRequest): Fields | null | undefined {
  const { form, meantForm, text, headers } = request
  const read = form ?? meantForm
  if (read !== null || !announcesBody(request)) return read
  return fieldsIn(text ?? '', String(headers['content-type'] ?? ''))
}

/** The fields of a JSON or URL-encoded body, at most its beginning; undefined for another body, or a key that is there twice. */
export function fieldsIn(text: string, type: string): Fields | undefined {
  const json = objectIn(text)
  // Of two values, a correction would lose one.
  if (json !== undefined && text.length <= LONGEST && repeatedKeyIn(text) !== undefined) return undefined
  if (json !== undefined) return Object.fromEntries(flatTexts(json))
  const isEncoded = /^application\/x-www-form-urlencoded/i.test(type) || /^[\w.%+[\]-]+=\S*$/.test(text)
  if (!isEncoded) return undefined
  const byName = groupBy(new URLSearchParams(text.slice(0, LONGEST)), ([name]) => name)
  return Object.fromEntries(
    Array.from(byName, ([name, pairs]) => {
      const [first, ...more] = pairs.map(([, value]) => value)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
}
