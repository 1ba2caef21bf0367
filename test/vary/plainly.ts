import type { LightMyRequestResponse } from 'fastify'
import { type Contract, isSuccess } from '../../schemas/contract.js'
import { fill, type Template } from '../../schemas/template.js'
import { OTHER_ERROR_BODIES } from '../../schemas/variations.js'
import type { Server } from '../../src/server/create-server.js'
import type { Settings } from '../../src/world/settings.js'
import { type Changes, send } from '../helper.js'

/** A world that varies, where time stands still. */
export const VARYING: Partial<Settings> = { clock: '2026-01-15T09:30:00.250Z', vary: true }

/** The answers to the same calls, one after the other. */
export async function answers(server: Server, calls: readonly (readonly [Contract, Changes?])[]) {
  const all = []
  for (const [contract, changes] of calls) all.push(await send(server, contract, changes))
  return all
}

/** Every variation, by the name that `X-Mock-Varied` has for it. */
export const NAMES = 'status error-body message status-word timestamps extra-fields key-order'.split(' ')

/** What an answer says was varied in it: each name with its value, which is empty where there is only one. */
export function namedIn({ headers }: LightMyRequestResponse): ReadonlyMap<string, string> {
  const text = String(headers['x-mock-varied'])
  const names = text.split(', ').map((one) => one.split('=') as [string, string?])
  return new Map(text === 'none' ? [] : names.map(([name, value = '']) => [name, value]))
}

/** What was varied in an answer, seen from the answer to the same call of an equal world that does not vary. */
export function changesBetween(contract: Contract, plain: LightMyRequestResponse, varied: LightMyRequestResponse) {
  const changes = new Map<string, string>()
  const change = (name: string, changed: boolean, value = '') => void (changed && changes.set(name, value))
  const { seen, reference, ...told } = compareBodies(contract, plain, varied)
  change('status', varied.statusCode !== plain.statusCode, `${varied.statusCode}`)
  change('error-body', told.shape !== 'nested', told.shape)
  change('message', told.message)
  change('status-word', told.statusWord)
  change('timestamps', told.precision !== '', told.precision)
  const stripped = without(reference, seen)
  change('extra-fields', JSON.stringify(stripped) !== JSON.stringify(seen))
  change('key-order', JSON.stringify(stripped) !== JSON.stringify(reference))
  return { changes, fits: JSON.stringify(sorted(stripped)) === JSON.stringify(sorted(reference)) }
}

/** Where each error body has its message. */
const places: Readonly<Record<string, readonly string[]>> = {
  nested: ['error', 'message'],
  flat: ['message'],
  message: ['message'],
  text: ['error'],
  code: ['message'],
  list: ['errors', '0', 'message'],
  problem: ['detail'],
}

const templates: Readonly<Record<string, Template>> = {
  nested: { error: { code: '{status}', message: '{message}' } },
  ...Object.fromEntries(Object.entries(OTHER_ERROR_BODIES).map(([name, { errorBody }]) => [name, errorBody])),
  flat: { status: 'error', message: '{message}' },
}

type Json = Record<string, unknown>

/** The body as it was seen, and what it would be with the same words, were it not for order, extra fields and space. */
function compareBodies(contract: Contract, plain: LightMyRequestResponse, varied: LightMyRequestResponse) {
  const [before, seen] = [plain.json() as Json, varied.json() as Json]
  if (!isSuccess(contract.responses[plain.statusCode])) {
    const shape = namedIn(varied).get('error-body') ?? 'nested'
    const text = places[shape]!.reduce<unknown>((value, key) => (value as Json)[key], seen)
    const reference = fill(templates[shape] as Template, { status: plain.statusCode, message: text })
    const message = text !== (before.error as Json).message
    return { seen, reference, shape, message, statusWord: false, precision: '' }
  }
  const reference: Json = { ...before }
  const words = ['status', 'message'].filter((name) => name in before && contract.id !== 'createSigningLink')
  for (const name of words) reference[name] = seen[name]
  const written = JSON.stringify(seen)
  const precision = /T[\d:]{8}Z"/.test(written) ? 'seconds' : /T[\d:]{8}\.\d{6}Z"/.test(written) ? 'microseconds' : ''
  return {
    seen,
    reference: withPrecision(reference, precision),
    shape: 'nested',
    message: 'message' in before && seen.message !== before.message,
    statusWord: 'status' in before && seen.status !== before.status,
    precision,
  }
}

const fractions: Readonly<Record<string, string>> = { '': '$1$2', seconds: '$1', microseconds: '$1$2000' }

function withPrecision(body: Json, precision: string): Json {
  const text = JSON.stringify(body).replaceAll(/(T\d\d:\d\d:\d\d)(\.\d{3})Z"/g, `${fractions[precision]}Z"`)
  return JSON.parse(text)
}

/** A value without the fields that the reference does not have, in its own order. */
function without(reference: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one, at) => without((reference as unknown[])?.[at], one))
  if (typeof value !== 'object' || value === null) return value
  const known = (reference ?? {}) as Json
  const kept = Object.entries(value).filter(([name]) => Object.hasOwn(known, name))
  return Object.fromEntries(kept.map(([name, one]) => [name, without(known[name], one)]))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]))
}
