import fc from 'fast-check'
import { after, type Change, kindsOf, listsOf } from './changes.js'

export type { Change }

/** Places are given in ten-thousandths of the whole: a change means the same when those before it are left out. */
const WHOLE = 10_000
const at = fc.nat(WHOLE)
const length = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }) }, { weight: 1, arbitrary: fc.nat(600) })
const times = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(50, 1_000))
const kind = kindsOf<Buffer>()

/** How some bytes are changed; the texts are put among them. */
const kindsWith = (text: fc.Arbitrary<string>) => ({
  cut: kind({ at, length }, (bytes, { at, length }) => splice(bytes, at, length, '')),
  end: kind({ at }, (bytes, { at }) => bytes.subarray(0, placeIn(bytes, at))),
  insert: kind({ at, text }, (bytes, { at, text }) => splice(bytes, at, 0, text)),
  replace: kind({ at, length, text }, (bytes, { at, length, text }) => splice(bytes, at, length, text)),
  flip: kind({ at, length: fc.integer({ min: 1, max: 16 }), bit: fc.nat(7) }, (bytes, { at, length, bit }) => {
    const start = placeIn(bytes, at)
    return Buffer.from(bytes.map((byte, nth) => (nth >= start && nth < start + length ? byte ^ (1 << bit) : byte)))
  }),
  repeat: kind({ at, length, times }, (bytes, { at, length, times }) => {
    return splice(bytes, at, 0, Buffer.concat(Array<Buffer>(times).fill(pieceOf(bytes, at, length))))
  }),
  move: kind({ at, length, to: at }, (bytes, { at, length, to }) => {
    return splice(splice(bytes, at, length, ''), to, 0, pieceOf(bytes, at, length))
  }),
  /** Another word in the place of one: most of what programs read is words with marks between them. */
  word: kind({ at, text }, (bytes, { at, text }) => {
    const words = [...bytes.toString('latin1').matchAll(/[\w.+-]+|\s+|[^\w\s]/g)]
    const word = words[Math.floor((placeIn(bytes, at) * words.length) / (bytes.length + 1))]
    if (word === undefined) return bytes
    return Buffer.concat([
      bytes.subarray(0, word.index),
      Buffer.from(text),
      bytes.subarray(word.index + word[0].length),
    ])
  }),
})

/** Changes whose texts are words of the format, or any. */
export function changesWith(words: readonly string[], most = 4): fc.Arbitrary<Change[]> {
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: 'binary' }) },
  )
  return listsOf(kindsWith(text), most)
}

const applied = kindsWith(fc.string())

/** Some bytes after changes. */
export function changed(bytes: Uint8Array | string, list: readonly Change[]): Buffer {
  return after(applied, Buffer.from(bytes as Uint8Array), list)
}

function placeIn({ length }: Buffer, at: number): number {
  return Math.floor((at * length) / WHOLE)
}

function pieceOf(bytes: Buffer, at: number, length: number): Buffer {
  const start = placeIn(bytes, at)
  return Buffer.from(bytes.subarray(start, start + length))
}

function splice(bytes: Buffer, at: number, length: number, text: string | Buffer): Buffer {
  const start = placeIn(bytes, at)
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text as string), bytes.subarray(start + length)])
}
