import { groupBy } from '../contract/group-by.js'
import { flattenFields, hasManyValues, objectIn, repeatedKeyIn } from '../contract/json.js'
import { announcesBody, type KeptRequest } from './received-request.js'

export type Fields = Readonly<Record<string, unknown>>

const INSPECTED_CHARACTERS = 64 * 1024

/** Null without a body; undefined for a body that cannot be read. */
export function bodyFieldsOf(request: KeptRequest): Fields | null | undefined {
  const form = request.form ?? request.recoveredForm
  if (form !== null || !announcesBody(request)) return form
  return parseBodyFields(request.text ?? '', String(request.headers['content-type'] ?? ''))
}

/** Parses a JSON or URL-encoded body, or its beginning; undefined for other bodies and, in a short one, for duplicate JSON keys. */
export function parseBodyFields(text: string, contentType: string): Fields | undefined {
  const json = hasManyValues(text) ? undefined : objectIn(text)
  // A correction would lose one of the two values.
  if (json !== undefined && text.length <= INSPECTED_CHARACTERS && repeatedKeyIn(text) !== undefined) return undefined
  if (json !== undefined) return Object.fromEntries(flattenFields(json))
  const isEncoded = /^application\/x-www-form-urlencoded/i.test(contentType) || /^[\w.%+[\]-]+=\S*$/.test(text)
  if (!isEncoded) return undefined
  // Some clients put each pair on a line of its own.
  const pairs = text.slice(0, INSPECTED_CHARACTERS).replaceAll(/\r?\n(?=[\w.%+[\]-]+=)/g, '&')
  const pairsByName = groupBy(new URLSearchParams(pairs), ([name]) => name)
  const fields = Array.from(pairsByName, ([name, group]) => {
    const values = group.map(([, value]) => value)
    return [name, values.length === 1 ? values[0] : values]
  })
  return Object.fromEntries(fields)
}
