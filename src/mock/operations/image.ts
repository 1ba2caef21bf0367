import type { RecordOf } from '../../../schemas/fixtures.js'
import type { State } from '../sandbox/state/state.js'

let library: Promise<typeof import('file-type')> | undefined

/** The media type of an image, recognised by its content (I-09). The library is loaded with the first file. */
export async function imageType(bytes: Uint8Array): Promise<string | undefined> {
  library ??= import('file-type')
  const type = (await (await library).fileTypeFromBuffer(bytes))?.mime
  if (type?.startsWith('image/')) return type
  const beginning = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  // Tests may send only the signature; the library reads more.
  if (beginning.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  return isSvg(beginning) ? 'image/svg+xml' : undefined
}

/** A user's newest signature whose image is kept. */
export function newestSignature(state: State, userUuid: string): RecordOf<'signatures'> | undefined {
  return state
    .collection('signatures')
    .all()
    .findLast(({ image, user_uuid }) => image !== undefined && user_uuid.toLowerCase() === userUuid.toLowerCase())
}

function isSvg(text: string): boolean {
  const rest = text.replace(PROLOGUE, '')
  return rest === text ? /^<(?:[\w-]+:)?svg[\s>/]/i.test(rest) : isSvg(rest)
}

/** A byte order mark, XML declaration, comment or doctype, which may hold entities in brackets. */
const PROLOGUE = /^(?:\xef\xbb\xbf|\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>)/i
