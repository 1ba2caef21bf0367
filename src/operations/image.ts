const beginning = ({ buffer, byteOffset, byteLength }: Uint8Array, length: number) =>
  Buffer.from(buffer, byteOffset, Math.min(length, byteLength)).toString('latin1')

/** How each kind of image begins. */
const kinds: readonly { readonly mediaType: string; readonly begins: (bytes: Uint8Array) => boolean }[] = [
  { mediaType: 'image/png', begins: (bytes) => beginning(bytes, 8) === '\x89PNG\r\n\x1a\n' },
  { mediaType: 'image/jpeg', begins: (bytes) => beginning(bytes, 3) === '\xff\xd8\xff' },
  { mediaType: 'image/gif', begins: (bytes) => /^GIF8[79]a/.test(beginning(bytes, 6)) },
  { mediaType: 'image/webp', begins: (bytes) => /^RIFF[\s\S]{4}WEBP/.test(beginning(bytes, 12)) },
  { mediaType: 'image/svg+xml', begins: (bytes) => isSvg(beginning(bytes, 4096)) },
]

/** The media type of an image, recognised by its content; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  return kinds.find(({ begins }) => begins(bytes))?.mediaType
}

/** An `svg` root element, after any byte order mark, XML declaration, comments and doctype. */
function isSvg(text: string): boolean {
  const rest = text.replace(PROLOGUE, '')
  return rest === text ? /^<(?:[\w-]+:)?svg[\s>/]/i.test(rest) : isSvg(rest)
}

/** One piece of it; a doctype may hold entities in brackets, as drawing programs write them. */
const PROLOGUE = /^(?:\xef\xbb\xbf|\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>)/i
