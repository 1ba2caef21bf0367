import { bareObject } from '../../text/bare-object.js'

/** A header's value, such as `form-data`, with its parameters by their names in lower case. */
export interface ParsedHeader {
  /** In lower case. */
  readonly value: string
  readonly parameters: Readonly<Record<string, string | undefined>>
}

/**
 * What stands between closing quotes and the next semicolon is left out, as of `filename="a"b.png"`. Quotes that are not
 * closed end with the header. White space is spaces and tabs alone: a byte of a letter may be a space of Unicode.
 */
const PARAMETER = /;([^=;]*)=[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/gs

/** Reads `value; name=value; name="value"`; of a parameter that is given twice, the first counts. */
export function parseHeader(header: string): ParsedHeader {
  const semicolon = header.indexOf(';')
  if (semicolon < 0) return { value: trimmed(header).toLowerCase(), parameters: {} }
  const parameters: Record<string, string | undefined> = bareObject()
  for (const [, name = '', quoted, bare = ''] of header.slice(semicolon).matchAll(PARAMETER)) {
    // A backslash before another character is one of a Windows path.
    parameters[trimmed(name).toLowerCase()] ??=
      quoted === undefined ? trimmed(bare) : quoted.replace(/\\(["\\])/g, '$1')
  }
  return { value: trimmed(header.slice(0, semicolon)).toLowerCase(), parameters }
}

/** Without the spaces and tabs around it. */
export function trimmed(text: string): string {
  return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')
}
