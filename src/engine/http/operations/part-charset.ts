import { decode } from 'windows-1252'

/** No value looks like the head of a part, since it cannot contain the boundary. */
const PART_HEAD = /(?:^|\r\n)--[^\r\n]+\r\n((?:[^\r\n]+\r\n)+)\r\n/g
const NAME = /[;\s]name\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i
const CHARSET = /charset\s*=\s*"?([\w.:-]+)/i

/** Undefined for UTF-8. `pieces` are the parts of the body that may declare a charset. */
export function charsetOf(name: string, pieces: readonly Buffer[]): string | undefined {
  const text = Buffer.concat(pieces).toString('latin1')
  const nameInLatin1 = Buffer.from(name).toString('latin1')
  for (const [, head = ''] of text.matchAll(PART_HEAD)) {
    const [, quoted, unquoted] = NAME.exec(head) ?? []
    const [, charset] = CHARSET.exec(head) ?? []
    // Clients that declare ASCII send UTF-8.
    if ((quoted ?? unquoted) === nameInLatin1 && charset !== undefined && !/^utf-?8$/i.test(charset))
      return /^(?:us-)?ascii$/i.test(charset) ? 'utf-8' : charset
  }
  return undefined
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
