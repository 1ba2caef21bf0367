import { quote } from '../../text/wording.js'
import { Problem } from '../problems.js'

/**
 * Reads a `Prefer` header (RFC 7240) to its preferences, each with its value, in their order; the names are in lower
 * case. In time that is proportional to its length: whoever sends it may send 16 KB.
 * @throws {Problem} for what is no preference
 */
export function parsePrefer(header: string): [name: string, value: string][] {
  return splitAtCommas(header)
    .filter((one) => one.trim() !== '')
    .map(parsePreference)
}

/** The preferences of a header that can be read, each as it is written. */
export function preferencesIn(header: string): { readonly name: string; readonly text: string }[] {
  return splitAtCommas(header).map((text) => ({ name: (NAME.exec(text.trim())?.[0] ?? '').toLowerCase(), text }))
}

/** At the commas outside of quoted text; a quote that never closes is a character like any other. */
function splitAtCommas(header: string): string[] {
  const pieces: string[] = []
  let [start, closes] = [0, true]
  for (let at = 0; at < header.length; at++) {
    if (header[at] === ',') {
      pieces.push(header.slice(start, at))
      start = at + 1
    } else if (header[at] === '"' && closes) {
      const end = endOfQuote(header, at)
      // All quotes that follow are escaped, seen from here, so that none of them closes either.
      if (end < 0) closes = false
      else at = end
    }
  }
  return [...pieces, header.slice(start)]
}

/** Where the quoted text that begins at a quote ends; -1 where it does not. */
function endOfQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at
    if (text[at] === '\\') at++
  }
  return -1
}

const NAME = /^[^\s=;,"]+/

/** `name[=value]` with an optional quoted value; parameters after a semicolon are not ours. */
function parsePreference(piece: string): [name: string, value: string] {
  const text = piece.trim()
  const [name = ''] = NAME.exec(text) ?? []
  const rest = text.slice(name.length).trimStart()
  if (name === '' || !/^[=;]|^$/.test(rest)) {
    throw new Problem(
      'malformed-preference',
      `The Prefer header cannot be read at ${quote(text)}: write Prefer: code=409, delay=1500, scenario=NAME, fault=NAME, expect=400.`,
    )
  }
  return [name.toLowerCase(), rest.startsWith('=') ? valueIn(rest.slice(1).trimStart()) : '']
}

function valueIn(text: string): string {
  const end = text.startsWith('"') ? endOfQuote(text, 0) : -1
  const after = text.slice(end + 1).trimStart()
  if (end > 0 && (after === '' || after.startsWith(';'))) return text.slice(1, end).replace(/\\(.)/g, '$1')
  return text.split(';', 1)[0]?.trimEnd() ?? ''
}
