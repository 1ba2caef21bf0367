const beginning = ({ buffer, byteOffset, byteLength }: Uint8Array, length: number) =>
  Buffer.from(buffer, byteOffset, Math.min(length, byteLength)).toString('latin1')

interface Kind {
  readonly name: string
  readonly mediaType: string
  readonly begins: (bytes: Uint8Array) => boolean
}

/** How each kind of image begins. */
const kinds: readonly Kind[] = [
  { name: 'PNG', mediaType: 'image/png', begins: (bytes) => beginning(bytes, 8) === '\x89PNG\r\n\x1a\n' },
  { name: 'JPEG', mediaType: 'image/jpeg', begins: (bytes) => beginning(bytes, 3) === '\xff\xd8\xff' },
  { name: 'GIF', mediaType: 'image/gif', begins: (bytes) => /^GIF8[79]a/.test(beginning(bytes, 6)) },
  { name: 'WebP', mediaType: 'image/webp', begins: (bytes) => /^RIFF[\s\S]{4}WEBP/.test(beginning(bytes, 12)) },
  { name: 'SVG', mediaType: 'image/svg+xml', begins: (bytes) => isSvg(beginning(bytes, 4096)) },
  // Two letters would take any text that begins with them: the length of the header behind them tells.
  {
    name: 'BMP',
    mediaType: 'image/bmp',
    begins: (bytes) => /^BM[\s\S]{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\0{3}/.test(beginning(bytes, 18)),
  },
  { name: 'TIFF', mediaType: 'image/tiff', begins: (bytes) => /^(?:II[*+]\0|MM\0[*+])/.test(beginning(bytes, 4)) },
  { name: 'AVIF', mediaType: 'image/avif', begins: (bytes) => hasBrand(bytes, /^avi[fs]$/) },
  {
    name: 'HEIC',
    mediaType: 'image/heic',
    begins: (bytes) => hasBrand(bytes, /^(?:he(?:ic|ix|im|is|vc|vx|vm|vs)|mif1|msf1)$/),
  },
  // The number of its images follows, and the first of them, in which one byte is always zero.
  {
    name: 'ICO',
    mediaType: 'image/x-icon',
    begins: (bytes) => /^\0\0\x01\0[^\0]\0[\s\S]{3}\0/.test(beginning(bytes, 10)),
  },
]

/** The kinds that are recognised, for people. */
export const imageNames = kinds
  .map(({ name }) => name)
  .join(', ')
  .replace(/, (\w+)$/, ' and $1')

/** The media type of an image, recognised by its content; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  return kinds.find(({ begins }) => begins(bytes))?.mediaType
}

/** The most bytes of the box that names the brands of an ISO base media file (ISO/IEC 14496-12). */
const LARGEST_BOX = 256

/** Whether a file of that container names a brand, as the major one or as one that it is compatible with. */
function hasBrand(bytes: Uint8Array, brand: RegExp): boolean {
  const box = beginning(bytes, LARGEST_BOX)
  if (box.slice(4, 8) !== 'ftyp') return false
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0)
  // The major brand, its version, and the compatible ones, four bytes each.
  const words = box.slice(8, size).match(/[\s\S]{4}/g) ?? []
  return words.some((word, at) => at !== 1 && brand.test(word))
}

/** An `svg` root element, after any byte order mark, XML declaration, comments and doctype. */
function isSvg(text: string): boolean {
  const rest = text.replace(PROLOGUE, '')
  return rest === text ? /^<(?:[\w-]+:)?svg[\s>/]/i.test(rest) : isSvg(rest)
}

/** One piece of it; a doctype may hold entities in brackets, as drawing programs write them. */
const PROLOGUE = /^(?:\xef\xbb\xbf|\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>)/i
