import assert from 'node:assert/strict'
import type { Contract } from '../../schemas/contract.js'
import type { Server } from '../../src/server/create-server.js'
import { entryOf } from '../../src/world/journal/entry.js'
import type { World } from '../../src/world/world.js'

/** An answer, however it came. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Null where it was not sent, as to HEAD. */
  readonly body: string | null
}

/** Milliseconds that anything may take: more is a hang. */
const PATIENCE = 10_000
/** Characters that an exchange may keep, and what is written around them. */
const MOST_KEPT = 64 * 1024
const AROUND = 64 * 1024

/** @throws {Error} when something takes too long */
export async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} takes longer than ${PATIENCE} ms`)), PATIENCE)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What any answer must be: a documented one of the operation, or a problem about the request. */
export function checkAnswer(contract: Contract | undefined, { status, headers, body }: Answer): void {
  const told = `${status} ${body?.slice(0, 300)}`
  assert.ok(status < 500, `the server fails: ${told}`)
  const outcome = headers['x-mock-outcome']
  if (outcome !== undefined) {
    const [id, code] = String(outcome).split(':')
    assert.equal(code, String(status), `the outcome is of another status: ${told}`)
    if (contract === undefined) return
    assert.equal(id, contract.id, `the outcome is another operation's: ${told}`)
    assert.ok(status in contract.responses, `the status is not documented: ${told}`)
    assert.ok(status === 200 ? body !== '' : messageIn(body ?? '') !== '', `the answer says nothing: ${told}`)
  } else if (status >= 400) {
    assert.match(String(headers['content-type']), /^application\/problem\+json/, `it is no problem: ${told}`)
    if (body === null) return
    const { code, detail, status: inBody } = JSON.parse(body)
    assert.equal(code, headers['x-mock-error'], `its header and its body differ: ${told}`)
    assert.equal(inBody, status, `its status and its body differ: ${told}`)
    assert.ok(detail.length > 10, `it says nothing: ${told}`)
  }
}

function messageIn(body: string): string {
  return JSON.parse(body).error?.message ?? ''
}

/** What the journal must say of an answer: the same, in bounds, and that the answer is as the contract says. */
export function checkEntry(world: World, { status, headers }: Answer): void {
  const id = headers['x-mock-exchange']
  const exchange = world.journal.exchanges().find((one) => one.id === id)
  assert.ok(exchange !== undefined, `the journal has no exchange ${id}`)
  const entry = entryOf(exchange)
  assert.equal(entry.status, status, 'the journal has another status')
  assert.equal(entry.outcome ?? undefined, headers['x-mock-outcome'], 'the journal has another outcome')
  assert.deepEqual(entry.deviations, [], 'the answer departs from its contract')
  assert.ok(entry.duration !== null, 'the exchange is still under way')
  for (const { message, fix } of entry.violations) assert.ok(message !== '' && fix !== '', 'a violation says nothing')
  const { violations: _, ...rest } = entry
  const characters = lengthOf(rest)
  assert.ok(characters <= MOST_KEPT + AROUND, `the exchange keeps ${characters} characters`)
}

/** The characters of all texts in a value. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.entries(value).reduce((sum, [key, one]) => sum + key.length + lengthOf(one), 0)
}

/** @throws {Error} when a server does not answer a plain request */
export async function checkAlive({ app }: Server): Promise<void> {
  const { statusCode } = await inTime('a plain request', app.inject('/__admin/health'))
  assert.equal(statusCode, 200, 'the server is not well')
}
