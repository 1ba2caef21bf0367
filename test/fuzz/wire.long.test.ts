import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import type { Server } from '../../src/server/create-server.js'
import { all, requestOf } from '../helper.js'
import { holds } from '../property.js'
import { listening } from '../wire.js'
import { type Change, changed, changesWith } from './bytes.js'
import { type Answer, checkAlive, checkAnswer, checkEntry, inTime } from './oracle.js'
import { WORDS } from './wire-words.js'

/** The answers in what came over a connection. @throws {Error} for bytes that are no answer */
function answersIn(received: Buffer): Answer[] {
  const answers: Answer[] = []
  for (let rest = received; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...fields] = rest.toString('latin1', 0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})( |$)/.exec(line)?.[1])
    if (end < 0 || Number.isNaN(status))
      throw new Error(`this is no answer: ${JSON.stringify(rest.toString('latin1'))}`)
    const headers = Object.fromEntries(fields.map(pairOf))
    rest = rest.subarray(end + 4)
    // Node's own answers are chunked, and empty.
    const chunked = headers['transfer-encoding'] === 'chunked' && rest.toString('latin1', 0, 5) === '0\r\n\r\n'
    if (chunked) rest = rest.subarray(5)
    const length = Number(headers['content-length'] ?? 0)
    // The answer to HEAD has a length and no body.
    const bodiless = length > 0 && (rest.length === 0 || rest.toString('latin1', 0, 9) === 'HTTP/1.1 ')
    if (!bodiless && rest.length < length) throw new Error(`a body has ${rest.length} of its ${length} bytes`)
    if (status >= 200) answers.push({ status, headers, body: bodiless ? null : rest.toString('utf8', 0, length) })
    rest = rest.subarray(bodiless ? 0 : length)
  }
  return answers
}

function pairOf(field: string): [string, string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}

/** What Node answers before anything of ours is asked: both are HTTP, and have no body. */
const answers: readonly ((answer: Answer) => boolean)[] = [
  // A request without Host (RFC 9112, section 3.2).
  ({ status, body }) => status === 400 && body === '',
  // An Expect that is not 100-continue (RFC 9110, section 10.1.1).
  ({ status, body }) => status === 417 && body === '',
]

function isAnswerOfNode(answer: Answer): boolean {
  return answers.some((matches) => matches(answer))
}

/** How requests are written on one connection. */
interface Given {
  /** The operations that are called, and how the bytes of each request are changed. */
  readonly requests: readonly { readonly operation: string; readonly chunked: boolean; readonly changes: Change[] }[]
  /** Bytes that are written at once; 0 for all. */
  readonly size: number
  /** What the client does when all is written. */
  readonly then: 'end' | 'wait' | 'reset'
}

const given: fc.Arbitrary<Given> = fc.record({
  requests: fc.array(
    fc.record({
      operation: fc.constantFrom(...all.map(({ id }) => id)),
      chunked: fc.boolean(),
      changes: changesWith(WORDS, 3),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  size: fc.constantFrom(0, 0, 1, 40, 700),
  then: fc.constantFrom('end', 'end', 'wait', 'reset'),
})

/** The bytes of a request that is answered with 200, after changes; most of them hit its head. */
function bytesOf({ operation, chunked, changes }: Given['requests'][number]): Buffer {
  const contract = all.find(({ id }) => id === operation) as Contract
  const { method, url, headers, payload = '' } = requestOf(contract)
  const body = Buffer.from(payload as Uint8Array)
  const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const fields = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${url} HTTP/1.1`, 'Host: localhost', ...fields, framing, '', ''].join('\r\n')
  const whole = chunked ? `${body.length.toString(16)}\r\n` : ''
  const written = Buffer.concat([Buffer.from(whole), body, Buffer.from(chunked ? '\r\n0\r\n\r\n' : '')])
  const [inHead, inBody] = [changes.filter((_, nth) => nth < 2), changes.slice(2)]
  return Buffer.concat([changed(head, inHead), changed(written, inBody)])
}

/** More take too long. */
const MOST_PIECES = 100

/** Writes bytes in pieces, and resolves with all that came when the connection is over. */
async function converse(port: number, bytes: Buffer, { size, then }: Given): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  // A server may close before all is written.
  socket.on('error', () => {})
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()).once('end', () => resolve()))
  await write(socket, bytes, size === 0 ? bytes.length : Math.max(size, Math.ceil(bytes.length / MOST_PIECES)))
  if (then !== 'end') await sleep(10)
  if (then === 'reset') socket.resetAndDestroy()
  else socket.end()
  await inTime('the end of the connection', over)
  socket.destroy()
  return Buffer.concat(received)
}

async function write(socket: Socket, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((written) => socket.write(bytes.subarray(at, at + size), () => setImmediate(written)))
  }
}

/** An exchange is over when its connection is, or soon after. */
async function checkOver({ worlds }: Server): Promise<void> {
  const open = () => worlds.all().flatMap(({ journal }) => journal.exchanges().filter((one) => one.duration === null))
  for (let tries = 0; tries < 100 && open().length > 0; tries++) await sleep(20)
  const [first] = open()
  assert.equal(first, undefined, `an exchange stays under way: ${first?.method} ${first?.url}`)
}

/** The journal of one of the worlds has the answer. */
function checkJournals({ worlds }: Server, answer: Answer): void {
  const failures: unknown[] = []
  for (const world of worlds.all()) {
    try {
      return checkEntry(world, answer)
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}

t.test('whatever comes over a connection, each answer is documented or a problem, and is in the journal', async (t) => {
  const { server, port } = await listening(t)
  const check = async (given: Given) => {
    const bytes = Buffer.concat(given.requests.map(bytesOf))
    let received: Buffer = Buffer.alloc(0)
    try {
      received = await converse(port, bytes, given)
      if (given.then !== 'reset') {
        const answers = answersIn(received)
        for (const answer of answers.filter((one) => !isAnswerOfNode(one))) {
          const operation = String(answer.headers['x-mock-outcome']).split(':')[0]
          const contract = all.find(({ id }) => id === operation)
          checkAnswer(contract, answer)
          if (answer.headers['x-mock-exchange'] !== undefined) checkJournals(server, answer)
        }
        // None may come: Node ends a connection as the client ends its side, before an answer that takes time.
      }
      await checkOver(server)
    } catch (error) {
      const shown = [bytes, received].map((one) => JSON.stringify(one.subarray(0, 1_500).toString('latin1')))
      throw new Error(`${(error as Error).message}\nsent: ${shown[0]}\ncame: ${shown[1]}`)
    }
  }
  await holds(t, 'any bytes', fc.asyncProperty(given, check), { numRuns: 300, seed: 20_261 })
  await checkAlive(server)
})
