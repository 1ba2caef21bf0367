import fc from 'fast-check'

/** Places are given in ten-thousandths of the whole: a change means the same when those before it are left out. */
const WHOLE = 10_000
const place = fc.nat(WHOLE)
const length = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }) }, { weight: 1, arbitrary: fc.nat(600) })

/** How some bytes are changed: what a change is made of, and what it does with the bytes. */
const changes = {
  cut: {
    parts: { at: place, length },
    apply: (bytes: Buffer, at: number, { length }: { length: number }) => splice(bytes, at, length, ''),
  },
  end: { parts: { at: place }, apply: (bytes: Buffer, at: number) => bytes.subarray(0, at) },
  insert: {
    parts: { at: place, text: fc.string() },
    apply: (bytes: Buffer, at: number, { text }: { text: string }) => splice(bytes, at, 0, text),
  },
  replace: {
    parts: { at: place, length, text: fc.string() },
    apply: (bytes: Buffer, at: number, { length, text }: { length: number; text: string }) =>
      splice(bytes, at, length, text),
  },
  flip: {
    parts: { at: place, length: fc.integer({ min: 1, max: 16 }), bit: fc.nat(7) },
    apply: (bytes: Buffer, at: number, { length, bit }: { length: number; bit: number }) =>
      Buffer.from(bytes.map((byte, nth) => (nth >= at && nth < at + length ? byte ^ (1 << bit) : byte))),
  },
  repeat: {
    parts: { at: place, length, times: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(50, 1_000)) },
    apply: (bytes: Buffer, at: number, { length, times }: { length: number; times: number }) => {
      const piece = bytes.subarray(at, at + length)
      return splice(bytes, at, 0, Buffer.concat(Array<Buffer>(times).fill(piece)))
    },
  },
  move: {
    parts: { at: place, length, to: place },
    apply: (bytes: Buffer, at: number, { length, to }: { length: number; to: number }) => {
      const piece = Buffer.from(bytes.subarray(at, at + length))
      const rest = splice(bytes, at, length, '')
      return splice(rest, placeIn(rest, to), 0, piece)
    },
  },
  /** Another word in the place of one: most of what programs read is words with marks between them. */
  word: {
    parts: { at: place, text: fc.string() },
    apply: (bytes: Buffer, at: number, { text }: { text: string }) => {
      const words = [...bytes.toString('latin1').matchAll(/[\w.+-]+|\s+|[^\w\s]/g)]
      const word = words[Math.floor((at * words.length) / (bytes.length + 1))]
      return word === undefined ? bytes : splice(bytes, word.index, word[0].length, text)
    },
  },
} as const

type Kind = keyof typeof changes

/** One change of some bytes, as it is printed. */
export interface Change {
  readonly kind: Kind
  readonly at: number
}

/** Changes whose texts are words of the format, or any. */
export function changesWith(words: readonly string[], most = 4): fc.Arbitrary<Change[]> {
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: 'binary' }) },
  )
  const kinds = (Object.keys(changes) as Kind[]).map((kind) => {
    const { parts } = changes[kind]
    return fc.record({ kind: fc.constant(kind), ...parts, ...('text' in parts && { text }) }) as fc.Arbitrary<Change>
  })
  return fc.array(fc.oneof(...kinds), { maxLength: most, size: 'max' })
}

/** Some bytes after changes. */
export function changed(bytes: Uint8Array | string, list: readonly Change[]): Buffer {
  return list.reduce<Buffer>(
    (now, change) => changes[change.kind].apply(now, placeIn(now, change.at), change as never),
    Buffer.from(bytes as Uint8Array),
  )
}

function placeIn({ length }: Buffer, at: number): number {
  return Math.floor((at * length) / WHOLE)
}

function splice(bytes: Buffer, at: number, length: number, text: string | Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(text as string), bytes.subarray(at + length)])
}
