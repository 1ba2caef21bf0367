/**
 * The media type of an image, recognised by its content (I-09); undefined for anything else. The library that knows them
 * is loaded when the first file comes.
 */
export async function imageType(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = (await fileTypeFromBuffer(bytes))?.mime
  if (type === 'image/bmp') return isBmp(beginning(bytes, 18)) ? type : undefined
  if (type?.startsWith('image/')) return type
  const begun = BEGINNINGS.find(([form]) => form.test(beginning(bytes, 8)))?.[1]
  return begun ?? (isSvg(beginning(bytes, 4096)) ? 'image/svg+xml' : undefined)
}

/** Kinds of which the library reads on behind the beginning: a damaged one is an image all the same. */
const BEGINNINGS = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^(?:II[*+]\0|MM\0[*+])/, 'image/tiff'],
] as const

function beginning({ buffer, byteOffset, byteLength }: Uint8Array, length: number): string {
  return Buffer.from(buffer, byteOffset, Math.min(length, byteLength)).toString('latin1')
}

/** The library takes any text that begins with its two letters: the length of the header behind them tells. */
function isBmp(text: string): boolean {
  return /^BM[\s\S]{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\0{3}/.test(text)
}

/** An `svg` root element, after any byte order mark, XML declaration, comments and doctype: the library reads no texts. */
function isSvg(text: string): boolean {
  const rest = text.replace(PROLOGUE, '')
  return rest === text ? /^<(?:[\w-]+:)?svg[\s>/]/i.test(rest) : isSvg(rest)
}

/** One piece of it; a doctype may hold entities in brackets, as drawing programs write them. */
const PROLOGUE = /^(?:\xef\xbb\xbf|\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>)/i
