import assert from 'node:assert/strict'
import { uploadSignature } from '../../schemas/index.js'
import { formIn } from '../../src/http/api/form.js'
import { FormStream } from '../../src/http/api/forward/form-stream.js'
import { readByBusboy } from '../http/busboy.js'
import { isSame, judged, type Reading, readByOurs } from '../http/reading.js'
import type { Sent } from '../http/sent.js'
import { type Difference, differences } from './differences.js'

const FILES: ReadonlySet<string> = new Set(['file'])

const ours = (sent: Sent) => readByOurs(sent, FILES)
const theirs = ({ type, body }: Sent, pieces: readonly Uint8Array[] = [body]) => readByBusboy(pieces, type, FILES)

/**
 * The names of what our reader and the parser of @fastify/multipart read differently; none where they agree.
 * @throws what is not among the differences that are meant
 */
export async function differencesIn(sent: Sent, known: readonly string[] = []): Promise<string[]> {
  const reading = ours(sent)
  if (isSame(reading, await theirs(sent))) return []
  const unseen = await unseenIn(sent, reading)
  if (unseen.length > 0) return unseen
  for (const [name, difference] of Object.entries(differences)) {
    if (known.includes(name) || !isSeen(difference, reading)) continue
    const rest = difference.without(sent)
    if (isChanged(sent, rest)) return [name, ...(await differencesIn(rest, [...known, name]))]
  }
  const [found, wanted] = [reading, await theirs(sent)].map((one) => JSON.stringify(one))
  throw new Error(`${found} instead of ${wanted}, from ${inWords(sent)}`)
}

/** Whether ours reads another form without it. */
function isSeen({ refused, shows = false }: Difference, reading: Reading): boolean {
  return 'refused' in reading ? refused === reading.refused : shows
}

/** Differences that explain all, though ours reads the same without them; as few as will do. */
async function unseenIn(sent: Sent, reading: Reading): Promise<string[]> {
  let found: string[] = []
  const without = (names: readonly string[]) => {
    let rest = sent
    found = names.filter((name) => {
      const before = rest
      rest = (differences[name] as Difference).without(before)
      return isChanged(before, rest)
    })
    return rest
  }
  const explain = async (names: readonly string[]) => {
    const rest = without(names)
    return isSame(ours(rest), reading) && isSame(await theirs(rest), reading)
  }
  const unseen = Object.entries(differences).filter(([, { refused, shows }]) => refused === undefined && !shows)
  if (!(await explain(unseen.map(([name]) => name)))) return []
  let least = found
  for (const name of least) {
    const fewer = least.filter((one) => one !== name)
    if (await explain(fewer)) least = fewer
  }
  return least
}

const isChanged = (one: Sent, other: Sent) => one.type !== other.type || !one.body.equals(other.body)

const inWords = ({ type, body }: Sent) => `${JSON.stringify(type)} and ${JSON.stringify(body.toString('latin1'))}`

/**
 * Reads a body in pieces, with the parser of @fastify/multipart and with our reader of forms that stream by.
 * @throws where one of them does not make the same of it as of the whole
 */
export async function readInPieces(sent: Sent, pieces: readonly Buffer[]): Promise<void> {
  const cut = `cut after ${pieces.map(({ length }) => length).join(' and ')} bytes, from ${inWords(sent)}`
  assert.ok(isSame(await theirs(sent, pieces), await theirs(sent)), `another form is read by @fastify/busboy, ${cut}`)
  const whole = judged(() => formIn(sent.body, sent.type, uploadSignature))
  const streamed = judged(() => {
    const stream = new FormStream(sent.type, uploadSignature)
    for (const piece of pieces) stream.push(piece)
    // It is not judged then.
    return stream.isTooLong ? formIn(sent.body, sent.type, uploadSignature) : stream.end()
  })
  assert.deepEqual(streamed, whole, `another form is read from the stream, ${cut}`)
}
