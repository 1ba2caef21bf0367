/** Parts are joined by what no name holds, so that a match never spans two of them. */
const SEPARATOR = '\u0000'
const BUCKETS = 1 << 16
/** Below this many records, looking at each is quicker than any index. */
const FEW = 256
/** What a text takes beside its characters. */
const BYTES_PER_TEXT = 40

/**
 * Finds the records whose text contains every keyword, in any letter case.
 * Beyond a few records it keeps, for each run of three characters (hashed), the records that hold it, so that a
 * search looks only at records which hold the rarest run of its keywords.
 */
export class SubstringIndex<R> {
  readonly #records: readonly R[]
  readonly #texts: readonly string[]
  readonly #runs: Runs | undefined

  constructor(records: readonly R[], partsOf: (record: R) => readonly string[]) {
    this.#records = records
    this.#texts = records.map((record) => folded(partsOf(record).join(SEPARATOR)))
    this.#runs = records.length > FEW ? new Runs(this.#texts) : undefined
  }

  /** Bytes that it takes, roughly. */
  get bytes(): number {
    return this.#texts.reduce((sum, { length }) => sum + BYTES_PER_TEXT + length, this.#runs?.bytes ?? 0)
  }

  /** The records that hold all the keywords, or any of them; in the order in which the records were given. */
  search(keywords: readonly string[], match: 'all' | 'any' = 'all'): R[] {
    if (match === 'any' && keywords.length > 1) {
      const found = new Set(keywords.flatMap((keyword) => this.search([keyword])))
      return this.#records.filter((record) => found.has(record))
    }
    const words = keywords.map(folded)
    const found: R[] = []
    if (words.some((word) => word.includes(SEPARATOR))) return found
    const look = (place: number) => {
      const text = this.#texts[place] as string
      if (words.every((word) => text.includes(word))) found.push(this.#records[place] as R)
    }
    const candidates = this.#runs?.rarest(words)
    for (const place of candidates ?? this.#texts.keys()) look(place)
    return found
  }
}

/** A text without its letter case, composed (NFC). A sigma in lower case is written in another way where a word ends. */
function folded(text: string): string {
  return text.normalize().toLowerCase().replaceAll('ς', 'σ')
}

/** The records of each hashed run of three characters, in one array. */
class Runs {
  readonly #starts = new Uint32Array(BUCKETS + 1)
  readonly #places: Uint32Array

  constructor(texts: readonly string[]) {
    const starts = this.#starts
    eachRun(texts, (run) => starts[run + 1]!++)
    for (let run = 0; run < BUCKETS; run++) starts[run + 1]! += starts[run]!
    this.#places = new Uint32Array(starts[BUCKETS]!)
    const next = starts.slice()
    eachRun(texts, (run, place) => {
      this.#places[next[run]!++] = place
    })
  }

  get bytes(): number {
    return this.#starts.byteLength + this.#places.byteLength
  }

  /** The fewest records that can hold all the words; undefined when every word is shorter than a run. */
  rarest(words: readonly string[]): Uint32Array | undefined {
    let fewest: Uint32Array | undefined
    for (const word of words) {
      for (let at = 0; at + 2 < word.length; at++) {
        const run = runAt(word, at)
        const places = this.#places.subarray(this.#starts[run]!, this.#starts[run + 1]!)
        if (fewest === undefined || places.length < fewest.length) fewest = places
      }
    }
    return fewest
  }
}

/** Calls with each run of each text, once a text. */
function eachRun(texts: readonly string[], call: (run: number, place: number) => void): void {
  const lastSeen = new Int32Array(BUCKETS).fill(-1)
  texts.forEach((text, place) => {
    for (let at = 0; at + 2 < text.length; at++) {
      const run = runAt(text, at)
      if (lastSeen[run] === place) continue
      lastSeen[run] = place
      call(run, place)
    }
  })
}

function runAt(text: string, at: number): number {
  const mixed = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)
  return (mixed ^ (mixed >>> 16)) & (BUCKETS - 1)
}
