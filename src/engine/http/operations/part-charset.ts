import { decode } from 'windows-1252'

export const MAX_PARTS = 1_000

const NAME = /[;\s]name\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i
const CHARSET = /charset\s*=\s*"?([\w.:-]+)/i

/** Adds names and charsets (other than UTF-8) of parts whose whole head is in these bytes of a body. */
export function addCharsets(charsets: Map<string, string>, bytes: Buffer, boundary: string): void {
  const [, ...parts] = bytes.toString('latin1').split(`--${boundary}\r\n`, MAX_PARTS)
  for (const part of parts) {
    const [head = '', content] = part.split('\r\n\r\n', 2)
    const [, quoted, unquoted] = NAME.exec(head) ?? []
    const [, charset = 'utf-8'] = CHARSET.exec(head) ?? []
    const name = Buffer.from(quoted ?? unquoted ?? '', 'latin1').toString()
    // Clients that declare ASCII send UTF-8.
    if (content !== undefined && charsets.size < MAX_PARTS && !/^utf-?8$/i.test(charset) && !charsets.has(name))
      charsets.set(name, /^(?:us-)?ascii$/i.test(charset) ? 'utf-8' : charset)
  }
}

export function decodeAs(charset: string, bytes: Uint8Array): string | undefined {
  try {
    const decoder = new TextDecoder(charset)
    // Node 20 decodes windows-1252 as Latin-1.
    return decoder.encoding === 'windows-1252' ? decode(bytes) : decoder.decode(bytes)
  } catch {
    return undefined
  }
}
