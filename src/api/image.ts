import type { State } from '../engine/sandbox/state/state.js'
import { type Signature, signatures } from './records.js'

let library: Promise<typeof import('file-type')> | undefined

/** Most uploaded images have one of these types, and the library takes longer than the rest of an upload. */
const PNG = '\x89PNG\r\n\x1a\n'
const JPEG = '\xff\xd8\xff'

/** The media type of an image, recognised by its content (interpretation I-09). */
export async function imageType(bytes: Uint8Array): Promise<string | undefined> {
  const beginning = Buffer.from(bytes.subarray(0, 64)).toString('latin1')
  // An animated PNG has the chunk `acTL`, and a media type of its own.
  if (beginning.startsWith(PNG) && !beginning.includes('acTL')) return 'image/png'
  if (beginning.startsWith(JPEG)) return 'image/jpeg'
  library ??= import('file-type')
  const type = (await (await library).fileTypeFromBuffer(new Uint8Array(bytes)))?.mime
  // The library recognises images by beginnings such as `BM`, `GIF` or `8BPS`, which a text may have, too.
  if (type?.startsWith('image/')) return /^[ -~]{2}[^\0-\x08]*$/.test(beginning) ? undefined : type
  return isSvg(textOf(bytes)) ? 'image/svg+xml' : undefined
}

export function newestSignature(state: State, userUuid: string): Signature | undefined {
  return state.collection(signatures).findBy('imageOwner', userUuid.toLowerCase()).at(-1)
}

/** The `svg` element must begin within these bytes. */
const LONGEST_PROLOG = 1024 * 1024

/** Decodes UTF-16 with a byte order mark; else one byte is one character. */
function textOf(bytes: Uint8Array): string {
  const beginning = bytes.subarray(0, LONGEST_PROLOG)
  const [first, second] = beginning
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'latin1'
  return new TextDecoder(encoding).decode(beginning)
}

/** True if the first element is `svg`, also after a declaration, a doctype and comments. */
function isSvg(text: string): boolean {
  const [start = '', ...others] = text.split('<!--')
  const afterComments = others.map((part) => part.slice(part.includes('-->') ? part.indexOf('-->') + 3 : part.length))
  const markup = [start, ...afterComments].join('')
  const first = markup.slice(Math.max(0, markup.search(/<[a-z]/i)))
  return /^(?:\u00ef\u00bb\u00bf)?\s*</.test(text) && /^<(?:[\w-]+:)?svg[\s>/]/i.test(first)
}
