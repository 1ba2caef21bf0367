import { decode } from 'windows-1252'

const DECLARED = /charset="?([\w.:-]+)/i
/** Of these, a text is read as UTF-8 anyway. */
const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i

/** The charset that the part of a form declares, unless it is UTF-8; looked for in these pieces of the body. */
export function charsetOf(name: string, pieces: readonly Buffer[]): string | undefined {
  if (pieces.length === 0) return undefined
  const text = Buffer.concat(pieces).toString('latin1')
  const quoted = Buffer.from(`name="${name}"`).toString('latin1')
  const at = text.indexOf(quoted)
  const head = at < 0 ? '' : text.slice(Math.max(text.lastIndexOf('\r\n--', at), 0), text.indexOf('\r\n\r\n', at))
  const [, charset] = DECLARED.exec(head) ?? []
  return charset === undefined || UTF_8.test(charset) ? undefined : charset
}

/** Undefined if nobody knows the charset. */
export function decodeAs(charset: string, bytes: Uint8Array): string | undefined {
  try {
    const decoder = new TextDecoder(charset)
    // Node 20 takes it for Latin-1.
    return decoder.encoding === 'windows-1252' ? decode(bytes) : decoder.decode(bytes)
  } catch {
    return undefined
  }
}
