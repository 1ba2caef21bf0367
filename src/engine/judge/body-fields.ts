import { groupBy } from '../contract/group-by.js'
import { flatTexts, objectIn } from '../contract/json.js'

const LONGEST = 64 * 1024

/** The fields of a JSON or URL-encoded body, at most its beginning; undefined for another body. */
export function fieldsIn(text: string, type: string): Readonly<Record<string, unknown>> | undefined {
  const json = objectIn(text)
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
