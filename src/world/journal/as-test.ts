import { REDACTED } from '../../text/redacted.js'
import { fetchCall, formLines, quoted, type Reached, templated, tokenLine } from './as-fetch.js'
import type { ExchangeEntry } from './entry.js'
import { type SentRequest, sentRequest } from './sent-request.js'

/** An exchange as a test for node:test, which expects the same answer again. Files are read by their names. */
export function asTest(entry: ExchangeEntry, { origin, token }: Reached): string {
  const orToken = `process.env.COUNTERSIGN_TOKEN ?? ${quoted(token)}`
  // A token that is refused is refused, whoever runs the test.
  const own = entry.status === 401 || entry.status === 403 ? quoted(token) : orToken
  const request = sentRequest(entry)
  const lines = [
    ...tokenLine(entry, own),
    ...formLines(request, ({ filename }) => `readFileSync(${quoted(filename)})`),
    ...assertions(entry, request),
  ]
  return [
    "import assert from 'node:assert/strict'",
    ...(lines.some((line) => line.includes('readFileSync(')) ? ["import { readFileSync } from 'node:fs'"] : []),
    "import { test } from 'node:test'",
    '',
    `const base = process.env.COUNTERSIGN_URL ?? ${quoted(origin)}`,
    ...(lines.some((line) => line.includes('steady(')) ? ['', ...STEADY] : []),
    '',
    `test(${quoted(nameOf(entry))}, async () => {`,
    ...lines
      .join('\n')
      .split('\n')
      .map((line) => (line === '' ? '' : `  ${line}`)),
    '})',
    '',
  ].join('\n')
}

function nameOf({ operation, method, url, status, response }: ExchangeEntry): string {
  const what = operation ?? `${method} ${url.split('?')[0]}`
  return response?.fault ? `${what} fails with ${response.fault}` : `${what} answers ${status}`
}

function assertions({ status, method, response }: ExchangeEntry, request: SentRequest): string[] {
  const made = fetchCall(request, `base + ${templated(request.url)}`)
  if (status === null) return [`await assert.rejects(async () => (${made}).text())`]
  const { body = null, headers = {} } = response ?? {}
  const expected = [`const response = ${made}`, `assert.equal(response.status, ${status})`]
  const text = JSON.stringify(body)
  if (method === 'HEAD' || body === null || text.includes(REDACTED)) return expected
  if (!/json/.test(headers['content-type'] ?? ''))
    return [...expected, `assert.equal(await response.text(), ${literal(body)})`]
  const isSteady = method === 'GET' || text === JSON.stringify(steady(body))
  return [
    ...expected,
    isSteady
      ? `assert.deepEqual(await response.json(), ${literal(body)})`
      : `assert.deepEqual(steady(await response.json()), ${literal(steady(body))})`,
  ]
}

/** Times, ids and the world's base in links, which differ from run to run. */
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
const BASE = /^https?:\/\/[^/]+(\/~[^/]+)?/

/** A body in which what differs from run to run is named by its kind. */
function steady(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'string' ? value.replace(TIME, 'a time').replace(ID, 'an id').replace(BASE, '') : value,
  )
}

/** The same, in the test. */
const STEADY = [
  '// Times, ids and where links begin differ from run to run.',
  'const steady = (body) =>',
  '  JSON.parse(JSON.stringify(body), (_, value) =>',
  `    typeof value === 'string' ? value.replace(${TIME}, 'a time').replace(${ID}, 'an id').replace(${BASE}, '') : value,`,
  '  )',
]

/** A JSON value as code. */
function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value, null, 2)
}
