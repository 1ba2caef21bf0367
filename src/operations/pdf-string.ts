/** The text of a PDF's string, in round or in angle brackets; undefined for what is none. */
export function readString(written: string): string | undefined {
  if (written.startsWith('(')) return decode(Buffer.from(unescaped(written.slice(1, -1)), 'latin1'))
  if (!/^<[^<]/.test(written)) return undefined
  const digits = written.replaceAll(/[^0-9a-f]/gi, '')
  // The last digit may be missing; it is 0 then.
  return decode(Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex'))
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:([0-7]{1,3})|(\r\n|[\r\n])|([\s\S]))/g, (_, octal, endOfLine, character) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    return endOfLine === undefined ? (ESCAPES[character] ?? character) : ''
  })
}

/** By its byte order mark; without one it is all but Latin-1. */
function decode(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 3)
  if (mark.startsWith('feff')) return new TextDecoder('utf-16be').decode(bytes)
  return mark === 'efbbbf' ? new TextDecoder().decode(bytes) : bytes.toString('latin1')
}
