import { bareObject } from '../../text/bare-object.js'
/** A header's value, such as `form-data`, with its parameters by their names in lower case. */
export interface ParsedHeader {
  /** In lower case. */
  readonly value: string
  readonly parameters: Readonly<Record<string, string | undefined>>
}

/** What stands between closing quotes and the next semicolon is left out, as of `filename="a"b.png"`. */
const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"[^;]*|([^;]*))/g

/** Reads `value; name=value; name="value"`; of a parameter that is given twice, the first counts. */
export function parseHeader(header: string): ParsedHeader {
  const semicolon = header.indexOf(';')
  if (semicolon < 0) return { value: header.trim().toLowerCase(), parameters: {} }
  const parameters: Record<string, string | undefined> = bareObject()
  for (const [, name = '', quoted, bare = ''] of header.slice(semicolon).matchAll(PARAMETER)) {
    // A backslash before another character is one of a Windows path.
    parameters[name.toLowerCase()] ??= quoted === undefined ? bare.trim() : quoted.replace(/\\(["\\])/g, '$1')
  }
  return { value: header.slice(0, semicolon).trim().toLowerCase(), parameters }
}
