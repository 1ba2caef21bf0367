import fc from 'fast-check'
import t from 'tap'
import { Lookups } from '../../src/world/state/lookups.js'
import { SeededCollections } from '../../src/world/state/seeded-collections.js'
import { State } from '../../src/world/state/state.js'
import { SubstringIndex } from '../../src/world/state/substring-index.js'
import { holds } from '../property.js'
import { idsOf, organization } from './stored.js'

const fixtures = () => new SeededCollections({ organizations: [organization(1)], users: [] })

/** How often the organizations are counted when these states look it up, one after another. */
function countings(): (state: State) => number {
  let made = 0
  return (state) => {
    const make = () => {
      made++
      return idsOf(state)
    }
    state.lookup(['organizations'], 'all', make, ({ length }) => length)
    return made
  }
}

t.test('worlds that have changed nothing share a look-up; one that has changed something has its own', async (t) => {
  const seeded = fixtures()
  const [one, two] = [new State(seeded), new State(seeded)]
  const lookUp = countings()
  t.strictSame([lookUp(one), lookUp(two), lookUp(one)], [1, 1, 1], 'it is made once')
  one.collection('organizations').put(organization(2))
  t.strictSame([lookUp(one), lookUp(one), lookUp(two)], [2, 2, 2], 'a change makes one anew, for that world')
  one.next('anything')
  two.patch({ signing_links: [] })
  t.strictSame([lookUp(one), lookUp(two)], [2, 2], 'what happens elsewhere changes nothing')
  two.replace({ organizations: [] })
  t.strictSame([lookUp(two), lookUp(one)], [3, 3], 'nor does another state of another world')
  one.reset(seeded)
  t.equal(lookUp(one), 3, 'after a reset the shared one is there again')
})

t.test('what is kept is bounded, whatever is asked for; what was used last stays', async (t) => {
  const lookups = new Lookups()
  const version = {}
  let made = 0
  const make = () => ({ nth: ++made })
  const lookUp = (name: string, bytes: number) => lookups.get([version], name, make, () => bytes)
  const MEGABYTE = 1024 * 1024
  const first = lookUp('first', MEGABYTE)
  for (let nth = 0; nth < 126; nth++) lookUp(`${nth}`, MEGABYTE)
  t.equal(lookUp('first', MEGABYTE), first, 'what fits stays')
  lookUp('another', MEGABYTE)
  t.equal(lookUp('first', MEGABYTE), first, 'what is used stays')
  const before = made
  lookUp('0', MEGABYTE)
  t.equal(made, before + 1, 'what was unused the longest has gone')
  const large = lookUp('large', 1_000 * MEGABYTE)
  t.equal(lookUp('large', MEGABYTE), large, 'one alone may be larger')
  t.not(lookUp('first', MEGABYTE), first, 'then nothing else stays')
  const long = lookUp('x'.repeat(70 * MEGABYTE), 0)
  lookUp('y', 0)
  t.not(lookUp('x'.repeat(70 * MEGABYTE), 0), long, 'a long name counts, too')
})

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
