import fc from 'fast-check'
import t from 'tap'
import { SubstringIndex } from '../../src/world/state/substring-index.js'
import { holds } from '../property.js'

/** Words of many scripts: short ones, some whose other letter case has another length, and what patterns would mean. */
const WORDS =
  'a A ab AB abc contract Contract LEASE 2025 v1.0 (draft) x+y [1] \\d ^ $ é É ß İ ı ŉ ǅ ΐ ΟΔΟΣ οδος οδοσ Σίσυφος ﬁ Ⅷ Åsa K 署名 契約書 😀 👩‍💻 𝒜𝒹𝒶 עברית حداد e\u0301 \u2028'.split(
    ' ',
  )
const word = fc
  .oneof(
    { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 2, arbitrary: fc.string({ minLength: 1, maxLength: 8 }) },
    { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }) },
  )
  .map((text) => text.replaceAll('\u0000', '0'))

/** Records are made of these words by draws of their number, so that two thousand are as short to print as two. */
const records = fc.record({
  count: fc.oneof(fc.nat(4), fc.integer({ min: 250, max: 262 }), fc.nat(2_000)),
  words: fc.array(word, { minLength: 1, maxLength: 40 }),
  parts: fc.integer({ min: 1, max: 5 }),
})

const cased: Readonly<Record<string, (text: string) => string>> = {
  same: (text) => text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
}

/** A keyword: a piece of one of the words, in some letter case, or a text of its own. */
const piece = fc.record({
  word: fc.nat(39),
  from: fc.nat(5),
  length: fc.integer({ min: 1, max: 12 }),
  letters: fc.constantFrom(...Object.keys(cased)),
})
const keyword = fc.oneof(
  { weight: 4, arbitrary: piece },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(...WORDS, ' ', '\u0000', 'a\u0000a') },
)

type Drawn<Of> = Of extends fc.Arbitrary<infer T> ? T : never
type Records = Drawn<typeof records>
type Keyword = Drawn<typeof keyword>

/** The parts of the record of a number: one to three words each. */
function partsOf(nth: number, { words, parts }: Records): string[] {
  return Array.from({ length: parts }, (_, part) => {
    const draw = Math.imul(nth * 7 + part + 1, 0x9e3779b1) >>> 0
    return Array.from({ length: 1 + (draw % 3) }, (_, at) => words[(draw >>> (4 * at + 2)) % words.length]).join(' ')
  })
}

function textOf(given: Keyword, { words }: Records): string {
  if (typeof given === 'string') return given
  const { word, from, length, letters } = given
  const whole = words[word % words.length] as string
  return (cased[letters] as (text: string) => string)(whole.slice(from % whole.length, (from % whole.length) + length))
}

/** What a search means, record by record: each keyword stands in one of the parts, in any letter case. */
function plainScan(texts: readonly string[][], keywords: readonly string[]): number[] {
  const wanted = keywords.map(folded)
  const has = (parts: readonly string[], one: string) => parts.some((part) => folded(part).includes(one))
  return texts.flatMap((parts, nth) => (wanted.every((one) => has(parts, one)) ? [nth] : []))
}

/** Composed, and letter by letter, since a sigma is written in another way at the end of a word. */
function folded(text: string): string {
  return Array.from(text.normalize(), (letter) => letter.toLowerCase().replace('ς', 'σ')).join('')
}

t.test('a search finds what a look at every record finds, in its order', async (t) => {
  const check = (given: Records, keywords: readonly Keyword[]) => {
    const texts = Array.from({ length: given.count }, (_, nth) => partsOf(nth, given))
    const numbers = Array.from(texts.keys())
    const index = new SubstringIndex(numbers, (nth) => texts[nth]!)
    const words = keywords.map((one) => textOf(one, given))
    const [found, expected] = [index.search(words), plainScan(texts, words)]
    if (JSON.stringify(found) === JSON.stringify(expected)) return
    const differing = [...found, ...expected].filter((nth) => found.includes(nth) !== expected.includes(nth))
    const shown = differing.slice(0, 3).map((nth) => texts[nth])
    throw new Error(`searching ${JSON.stringify(words)}: ${found}, not ${expected}: ${JSON.stringify(shown)}`)
  }
  const keywords = fc.array(keyword, { minLength: 1, maxLength: 3 })
  await holds(t, 'the same records', fc.property(records, keywords, check), { numRuns: 400, seed: 20_261 })
})

t.test('a sigma is found in any letter case and at any place, and nothing is found across two parts', (t) => {
  const index = new SubstringIndex(['ΟΔΟΣΑ', 'οδός'], (text) => [text, 'lease'])
  t.same(index.search(['ΟΔΟΣ']), ['ΟΔΟΣΑ'], 'in the middle of a word, by the very letters')
  t.same(index.search(['ΌΣ']), ['οδός'], 'at the end of a word')
  t.same(index.search(['\u0000']), [], 'a NUL is in no record')
  t.end()
})
