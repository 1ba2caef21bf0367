import fc from 'fast-check'
import t from 'tap'
import { parsePrefer } from '../../src/http/api/prefer-header.js'
import { Problem } from '../../src/http/problems.js'
import { quote } from '../../src/text/wording.js'
import { holds } from '../property.js'
import { inProportion } from '../proportion.js'

/** As it was read first: plainly, but in time that grows with the square of the length. */
function parsedBefore(header: string): [string, string][] | string {
  const PREFERENCE = /^\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*?)))?\s*(?:;.*)?$/
  const pairs: [string, string][] = []
  for (const one of header.match(/(?:"(?:[^"\\]|\\.)*"|[^,"]|")+/g) ?? []) {
    if (one.trim() === '') continue
    const found = PREFERENCE.exec(one)
    if (found === null) return one.trim()
    const [, name = '', quoted, bare] = found
    pairs.push([name.toLowerCase(), quoted === undefined ? (bare ?? '') : quoted.replace(/\\(.)/g, '$1')])
  }
  return pairs
}

const parsed = (header: string) => {
  try {
    return parsePrefer(header)
  } catch (error) {
    return error
  }
}

t.test('a Prefer header is read as before', async (t) => {
  const pieces = ['code', 'delay', '=', '409', ',', ';', '"', '\\', ' ', '\t', 'a', '"a"', '\\"', '="', '";', ', ']
  const headers = fc.array(fc.constantFrom(...pieces, 'ø', '\u00a0'), { maxLength: 14 }).map((all) => all.join(''))
  const same = fc.property(headers, (header) => {
    const [now, before] = [parsed(header), parsedBefore(header)]
    const isSame =
      typeof before === 'string'
        ? now instanceof Problem && now.message.includes(quote(before))
        : JSON.stringify(now) === JSON.stringify(before)
    if (!isSame) throw new Error(`${JSON.stringify(now)} instead of ${JSON.stringify(before)}`)
  })
  await holds(t, 'the same preferences, or the same complaint', same, { numRuns: 20_000, seed: 1 })
})

t.test('a long Prefer header is read in time in proportion to its length', async (t) => {
  const long: Readonly<Record<string, (length: number) => string>> = {
    'quotes that never close': (length) => '"\\'.repeat(length / 2),
    'escaped quotes': (length) => `a="${'\\"'.repeat(length / 2)}`,
    'spaces in a value': (length) => `a=${' '.repeat(length)}x;`,
    'spaces and letters in a value': (length) => `a=${' x'.repeat(length / 2)}`,
    'spaces after a name': (length) => `a${' '.repeat(length)}b`,
    semicolons: (length) => `a=b${';'.repeat(length)}`,
    commas: (length) => ','.repeat(length),
    preferences: (length) => 'a=1,'.repeat(length / 4),
  }
  for (const [what, header] of Object.entries(long))
    await inProportion(t, what, 1_000_000, (length) => parsed(header(length)))
})
