import fc from 'fast-check'
import t from 'tap'
import { holds } from '../property.js'
import { differences } from './differences.js'
import { shortForms } from './known-forms.js'
import { differencesIn, readInPieces } from './readers.js'
import { type Draw, draws, type Edit, editedBy, edits, piecesOf, sentBy } from './sent-forms.js'

// The other parser is that of @fastify/multipart. Whatever is sent, ours makes the same of it, but for the differences in
// the table.

t.test('each difference that is meant is the only one in its example', async (t) => {
  for (const [name, { example, why }] of Object.entries(differences)) {
    t.same(await differencesIn(example), [name], `${name}: ${why}`)
  }
})

/** How many agreed, and how many fell under each difference. */
class Count {
  agreed = 0
  readonly differed: Record<string, number> = Object.fromEntries(Object.keys(differences).map((name) => [name, 0]))

  add(found: readonly string[]): void {
    if (found.length === 0) this.agreed++
    for (const name of found) this.differed[name] = (this.differed[name] ?? 0) + 1
  }

  get missing(): string[] {
    return Object.keys(this.differed).filter((name) => this.differed[name] === 0)
  }

  toString(): string {
    return [
      `${this.agreed}: they agree`,
      ...Object.entries(this.differed).map(([name, times]) => `${times}: ${name}`),
    ].join('\n')
  }
}

t.test('forms of clients are read as by the other parser, cut off after any byte', async (t) => {
  const count = new Count()
  for (const [name, sent] of Object.entries(shortForms)) {
    for (let at = 0; at <= sent.body.length; at++) {
      count.add(await differencesIn({ ...sent, body: sent.body.subarray(0, at) }))
    }
    t.pass(`${name}, ${sent.body.length} bytes`)
  }
  t.comment(String(count))
})

t.test('forms of clients are read to the same by each reader, in two pieces split at any byte', async (t) => {
  for (const [name, sent] of Object.entries(shortForms)) {
    for (let at = 0; at <= sent.body.length; at++) {
      await readInPieces(sent, [sent.body.subarray(0, at), sent.body.subarray(at)])
    }
    t.pass(`${name}, ${sent.body.length} bytes`)
  }
})

t.test('forms of clients are read as by the other parser after one edit', async (t) => {
  const count = new Count()
  const check = async (edit: Edit) => count.add(await differencesIn(editedBy(edit)))
  await holds(t, 'any of them', fc.asyncProperty(edits, check), { numRuns: 5_000, seed: 20_261 })
  t.comment(String(count))
})

t.test(
  'forms are read as by the other parser, however they are mangled, and whatever pieces they come in',
  async (t) => {
    const count = new Count()
    const check = async (draw: Draw) => {
      const sent = sentBy(draw)
      count.add(await differencesIn(sent))
      await readInPieces(sent, piecesOf(sent.body, draw.cuts))
    }
    await holds(t, 'parts, their order, names, texts, files and verdicts', fc.asyncProperty(draws, check), {
      numRuns: 3_000,
      seed: 20_261,
    })
    t.comment(String(count))
    t.same(count.missing, [], 'each difference is shown by some')
  },
)
