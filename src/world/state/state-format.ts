import { crc32 } from 'node:zlib'
import type { Batch } from './changes.js'

/**
 * The format of a state file: a header of fixed length, then one line for each batch of changes: a checksum that
 * continues the one of the line before, and the batch as JSON. The header says where the last line begins and ends, so
 * that a line that was torn as a process died can be told from a file that was cut.
 */
const KIND = 'countersign state'
const VERSION = 2
const NEWLINE = Buffer.from('\n')
/** Characters of a checksum. */
const CHECK_LENGTH = 8

/** Where the stored lines end, and where the last one, which may be torn, begins; in bytes. */
export interface Extent {
  readonly last: number
  readonly end: number
}

export const HEADER_LENGTH = header({ last: 0, end: 0 }).length

export function header({ last, end }: Extent): Buffer {
  const fields = { kind: KIND, version: VERSION, last: digits(last), end: digits(end) }
  const check = crc32(JSON.stringify(fields), 0)
  return Buffer.from(`${JSON.stringify({ ...fields, check: hex(check) })}\n`)
}

/** A batch as a line; `previous` is the checksum of the line before. */
export function encode(batch: Batch, previous: number): { readonly line: Buffer; readonly check: number } {
  const json = Buffer.from(JSON.stringify(batch))
  const check = crc32(json, previous)
  return { line: Buffer.concat([Buffer.from(`${hex(check)} `), json, NEWLINE]), check }
}

/** What a state file holds. */
export interface Decoded {
  readonly batches: readonly Batch[]
  /** Up to here, in bytes, the file is as it was written. */
  readonly end: number
  /** The checksum of the last line. */
  readonly check: number
}

/**
 * Reads the bytes of a state file; a torn last line is left out.
 * @throws {Error} saying, as the end of a sentence, why they are no state
 */
export function decode(bytes: Buffer): Decoded {
  const extent = decodeHeader(bytes)
  const batches: Batch[] = []
  let [at, check] = [HEADER_LENGTH, 0]
  for (let number = 2; at < bytes.length; number++) {
    const newline = bytes.indexOf(NEWLINE, at)
    if (newline < 0) break
    const json = bytes.subarray(at + CHECK_LENGTH + 1, newline)
    check = crc32(json, check)
    if (bytes.toString('latin1', at, at + CHECK_LENGTH + 1) !== `${hex(check)} `) {
      throw new Error(`it is damaged: the checksum of line ${number} is wrong`)
    }
    batches.push(JSON.parse(json.toString()))
    at = newline + 1
  }
  const torn = at >= extent.last && bytes.length > extent.last && bytes.length < extent.end
  if (at < extent.end && !torn) {
    throw new Error(`it is damaged: it has ${bytes.length} of its ${extent.end} bytes, or its last line is altered`)
  }
  return { batches, end: at, check }
}

function decodeHeader(bytes: Buffer): Extent {
  const fields = parse(bytes.subarray(0, HEADER_LENGTH))
  if (fields?.kind === KIND && fields.version === VERSION) {
    const extent = { last: Number(fields.last), end: Number(fields.end) }
    if (header(extent).equals(bytes.subarray(0, HEADER_LENGTH))) return extent
  }
  const other = fields ?? parse(bytes.subarray(0, Math.max(0, bytes.indexOf(NEWLINE)))) ?? parse(bytes)
  if (other === undefined) throw new Error('it is damaged: its first line cannot be read')
  if (other.kind !== KIND) throw new Error(`it is not a state file: its kind is not '${KIND}'`)
  if (other.version !== VERSION) {
    throw new Error(`its version is ${JSON.stringify(other.version)}, and this countersign reads ${VERSION}`)
  }
  throw new Error('it is damaged: the checksum of line 1 is wrong')
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return undefined
  }
}

function hex(check: number): string {
  return check.toString(16).padStart(CHECK_LENGTH, '0')
}

function digits(bytes: number): string {
  return String(bytes).padStart(12, '0')
}
