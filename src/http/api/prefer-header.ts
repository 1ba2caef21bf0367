import { quote } from '../../text/wording.js'
import { Problem } from '../problems.js'

/** What stands between the commas of a header; a quote that never closes is a character like any other. */
const PIECE = /(?:[^",]|"(?:[^"\\]|\\.)*"|")+/g
/** `name[=value]`, the value quoted or not; parameters after a semicolon are not ours. */
const PREFERENCE = /^([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))\s*)?(?:;|$)/

/**
 * Parses a `Prefer` header (RFC 7240) to its preferences, in their order; the names are in lower case.
 * @throws {Problem} for what is no preference
 */
export function parsePrefer(header: string): [name: string, value: string][] {
  return piecesOf(header).map((text) => {
    const [, name, quoted, bare = ''] = PREFERENCE.exec(text) ?? []
    if (name === undefined) throw unreadable(text)
    return [name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare.trim()]
  })
}

/** The preferences of a header as they are written; the name of one that cannot be read is empty. */
export function preferencesIn(header: string): { readonly name: string; readonly text: string }[] {
  return piecesOf(header).map((text) => ({ name: (PREFERENCE.exec(text)?.[1] ?? '').toLowerCase(), text }))
}

function piecesOf(header: string): string[] {
  const pieces = (header.match(PIECE) ?? []).map((piece) => piece.trim())
  return pieces.filter((piece) => piece !== '')
}

function unreadable(text: string): Problem {
  return new Problem(
    'malformed-preference',
    `The Prefer header cannot be read at ${quote(text)}: write Prefer: code=409, delay=1500, scenario=NAME, fault=NAME, expect=400.`,
  )
}
