import type { ExchangeEntry, FileEntry } from './entry.js'
import { isForm, OMITTED } from './formats.js'
import { REDACTED } from './redact.js'

/** Where a server is reached, and the token that examples use. */
export interface Reached {
  readonly origin: string
  readonly token: string
}

/** An exchange's request as a call of `fetch`; the token and the bytes of files are for the reader to fill in. */
export function asFetch(entry: ExchangeEntry, { origin, token }: Reached): string {
  return [...requestLines(entry, templated(`${origin}${entry.url}`), quoted(token)), ''].join('\n')
}

/** An exchange as a test for node:test, which expects the same answer again. */
export function asTest(entry: ExchangeEntry, { origin, token }: Reached): string {
  const orToken = `process.env.COUNTERSIGN_TOKEN ?? ${quoted(token)}`
  const lines = [...requestLines(entry, `base + ${templated(entry.url)}`, orToken), ...assertions(entry)]
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    '',
    `const base = process.env.COUNTERSIGN_URL ?? ${quoted(origin)}`,
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

function requestLines(entry: ExchangeEntry, url: string, token: string): string[] {
  return [...tokenLine(entry, token), ...formLines(entry), `const response = ${call(entry, url)}`]
}

function nameOf({ operation, method, url, status, response }: ExchangeEntry): string {
  const what = operation ?? `${method} ${url.split('?')[0]}`
  return response?.fault ? `${what} fails with ${response.fault}` : `${what} answers ${status}`
}

function assertions({ status, response }: ExchangeEntry): string[] {
  if (status === null) return []
  const { body = null, headers = {} } = response ?? {}
  const expected = `assert.equal(response.status, ${status})`
  if (body === null || JSON.stringify(body).includes(REDACTED)) return [expected]
  const isJson = /json/.test(headers['content-type'] ?? '')
  return [
    expected,
    isJson
      ? `assert.deepEqual(await response.json(), ${literal(body)})`
      : `assert.equal(await response.text(), ${literal(body)})`,
  ]
}

function tokenLine(entry: ExchangeEntry, token: string): string[] {
  return JSON.stringify([entry.url, entry.request]).includes(REDACTED) ? [`const token = ${token}`] : []
}

/** The form, built field by field; none where there is no form. */
function formLines({ request: { body } }: ExchangeEntry): string[] {
  if (!isForm(body)) return []
  const fields = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((one) => `form.append(${quoted(name)}, ${field(one as string | FileEntry)})`),
  )
  return ['const form = new FormData()', ...fields]
}

function field(value: string | FileEntry): string {
  if (typeof value === 'string') return templated(value)
  const { filename, mimetype, size } = value
  return `new File([/* ${size} bytes */], ${quoted(filename)}, { type: ${quoted(mimetype)} })`
}

function call({ method, request: { headers, body } }: ExchangeEntry, url: string): string {
  const own = Object.entries(headers)
    .filter(([name]) => !OMITTED.has(name) && !BY_ITSELF.test(name) && !(name === 'content-type' && isForm(body)))
    .map(([name, value]) => `${quoted(name)}: ${templated(value)}`)
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    ...(own.length > 0 ? [`headers: { ${own.join(', ')} }`] : []),
    ...(isForm(body) ? ['body: form'] : body === null ? [] : [`body: ${templated(body)}`]),
  ]
  return `await fetch(${[url, ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : [])].join(', ')})`
}

/** What a client sends by itself. */
const BY_ITSELF = /^(accept|accept-language|user-agent|origin|referer|cache-control|pragma|sec-.*|dnt|priority)$/

/** Where a template literal has the token. */
const PLACE = `$${'{token}'}`

/** A text as a literal; what was redacted is the token. */
function templated(text: string): string {
  if (!text.includes(REDACTED)) return quoted(text)
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll(REDACTED, PLACE)}\``
}

function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner.replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)}'`
}

/** A JSON value as code. */
function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value, null, 2)
}
