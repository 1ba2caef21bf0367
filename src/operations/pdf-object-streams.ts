import { inflateSync } from 'node:zlib'
import { readDictionary } from './pdf-dictionary.js'

/** How many streams are looked into, and how many bytes they may come to unpacked: a file may be made to take long. */
const MOST_STREAMS = 1_000
const MOST_UNPACKED = 8 * 1024 * 1024

/** Bytes of a stream's dictionary, and of the list of what is in it. */
const LONGEST_DICTIONARY = 1024
const LONGEST_LIST = 64 * 1024

/**
 * The bytes from an object on, in the last stream behind a place that has it: since PDF 1.5, many objects may stand in
 * one compressed stream. Undefined where none has it, and where a limit is reached.
 */
export function findCompressedObject(bytes: Buffer, number: string, after: number): Buffer | undefined {
  let left = MOST_UNPACKED
  let end = bytes.length
  for (let looked = 0; looked < MOST_STREAMS && left > 0; looked++) {
    const place = bytes.lastIndexOf('/ObjStm', end - 1)
    if (place <= Math.max(0, after)) return undefined
    const stream = readStream(bytes.subarray(0, end), place, left)
    if (stream === undefined) return undefined
    const found = objectIn(stream, number)
    if (found !== undefined) return found
    left -= stream.content.length
    end = place
  }
  return undefined
}

interface ObjectStream {
  readonly content: Buffer
  /** Where its first object begins, behind the list. */
  readonly first: number
}

/** The stream around a place; undefined for one that is damaged or unpacks to more than is left. */
function readStream(bytes: Buffer, place: number, left: number): ObjectStream | undefined {
  const before = bytes.toString('latin1', Math.max(0, place - LONGEST_DICTIONARY), place)
  const behind = bytes.toString('latin1', place, place + LONGEST_DICTIONARY)
  const dictionary = readDictionary(before.slice(before.lastIndexOf('obj') + 'obj'.length) + behind)
  const keyword = /stream\r?\n/.exec(behind)
  if (dictionary === undefined || keyword === null) return undefined
  const data = bytes.subarray(place + keyword.index + keyword[0].length)
  const first = Number(dictionary.get('First'))
  if (!dictionary.has('Filter')) return { content: data, first }
  try {
    return { content: inflateSync(data, { maxOutputLength: left }), first }
  } catch {
    return undefined
  }
}

/** The list has a number and a place for each object: `12 0 15 87` for those of number 12 and 15. */
function objectIn({ content, first }: ObjectStream, number: string): Buffer | undefined {
  const list = content.toString('latin1', 0, Math.min(first, LONGEST_LIST)).trim().split(/\s+/)
  const at = list.findIndex((one, index) => index % 2 === 0 && one === number)
  return at < 0 ? undefined : content.subarray(first + Number(list[at + 1]))
}
