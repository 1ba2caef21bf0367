import { flatTexts, objectIn } from '../contract/json.js'

/** The fields of a JSON or URL-encoded body; undefined for another body. */
export function fieldsIn(text: string, type: string): Readonly<Record<string, unknown>> | undefined {
  const json = objectIn(text)
  if (json !== undefined) return Object.fromEntries(flatTexts(json))
  const isEncoded = /^application\/x-www-form-urlencoded/i.test(type) || /^[\w.%+[\]-]+=\S*$/.test(text)
  if (!isEncoded) return undefined
  const pairs = new URLSearchParams(text)
  return Object.fromEntries(
    Array.from(pairs.keys(), (name) => {
      const [first, ...more] = pairs.getAll(name)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
}
