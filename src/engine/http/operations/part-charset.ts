import { decode } from 'windows-1252'

/** The head of each part; a value cannot look like one, since it cannot hold the boundary. */
const HEADS = /(?:^|\r\n)--[^\r\n]+\r\n((?:[^\r\n]+\r\n)+)\r\n/g
const NAME = /[;\s]name\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i
const CHARSET = /charset\s*=\s*"?([\w.:-]+)/i

/** Undefined for UTF-8. `pieces` are the parts of the body that may declare a charset. */
export function charsetOf(name: string, pieces: readonly Buffer[]): string | undefined {
  const text = Buffer.concat(pieces).toString('latin1')
  const sent = Buffer.from(name).toString('latin1')
  for (const [, head = ''] of text.matchAll(HEADS)) {
    const [, quoted, bare] = NAME.exec(head) ?? []
    const [, charset] = CHARSET.exec(head) ?? []
    // Clients that say ASCII send UTF-8.
    if ((quoted ?? bare) === sent && charset !== undefined && !/^utf-?8$/i.test(charset))
      return /^(?:us-)?ascii$/i.test(charset) ? 'utf-8' : charset
  }
  return undefined
}

export function decodeAs(charset: string, bytes: Uint8Array): string | undefined {
  try {
    const decoder = new TextDecoder(charset)
    // Node 20 takes it for Latin-1.
    return decoder.encoding === 'windows-1252' ? decode(bytes) : decoder.decode(bytes)
  } catch {
    return undefined
  }
}
