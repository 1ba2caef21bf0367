import { flatTexts, objectIn } from '../contract/json.js'

/** The fields of a JSON or URL-encoded body; undefined for another body. */
export function fieldsIn(text: string, type: string): Readonly<Record<string, unknown>> | undefined {
  const json = objectIn(text)
  if (json !== undefined) return Object.fromEntries(flatTexts(json))
  const isEncoded = /^application\/x-www-form-urlencoded/i.test(type) || /^[\w.%+[\]-]+=\S*$/.test(text)
  return isEncoded ? Object.fromEntries(new URLSearchParams(text)) : undefined
}
