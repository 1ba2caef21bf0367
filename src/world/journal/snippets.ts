import { type CurlCall, formField, shellQuote } from '../../text/curl.js'
import { REDACTED } from '../../text/redacted.js'
import type { ExchangeEntry } from './entry.js'
import type { FileEntry } from './exchange.js'
import { type SentRequest, sentRequest } from './sent-request.js'

export interface Reached {
  readonly origin: string
  readonly token: string
}

/** An exchange's request as a curl line, with what somebody would type; files are for the reader to fill in. */
export function asCurl(entry: ExchangeEntry, origin: string): string {
  const { method, url, headers, form, text = null } = sentRequest(entry, origin)
  const fields = form?.map(([name, value]) => {
    const sent = typeof value === 'string' ? value : { path: value.filename || 'FILE', type: value.mimetype }
    return formField(name, sent, shellQuoteWithToken)
  })
  return [
    'curl',
    // Brackets in a URL are patterns to curl.
    ...(/[[\]{}]/.test(url.replaceAll(REDACTED, '')) ? ['-g'] : []),
    ...(method === 'GET' && form === undefined && text === null ? [] : [`-X ${method}`]),
    ...headers.map(([name, value]) => `-H ${shellQuoteWithToken(`${name}: ${value}`)}`),
    ...(fields ?? []),
    ...(text === null ? [] : [`--data-raw ${shellQuoteWithToken(text)}`]),
    shellQuoteWithToken(url),
  ].join(' ')
}

function shellQuoteWithToken(text: string): string {
  if (!text.includes(REDACTED)) return shellQuote(text)
  return `"${text.replace(/["\\`$]/g, '\\$&').replaceAll(REDACTED, '$TOKEN')}"`
}

export function asFetch(entry: ExchangeEntry, { origin, token }: Reached): string {
  const { before, call } = fetchCode(sentRequest(entry, origin), quoted(token), ({ size }) => `BYTES /* ${size} */`)
  return [...before, `const response = ${call}`, ''].join('\n')
}

/** A call that was never made, as a call of `fetch`; without a token, the reader's own is taken. */
export function correctedFetch({ method, url, form }: CurlCall, token: string | undefined): string {
  const fields = form.map(([name, value]): [string, string | FileEntry] => {
    if (typeof value === 'string') return [name, value]
    return [name, { filename: value.path, mimetype: value.type ?? '', size: 0, sha256: '' }]
  })
  const headers: SentRequest['headers'] = [['authorization', `Bearer ${REDACTED}`]]
  const request = { method, url, headers, form: fields.length === 0 ? undefined : fields }
  const own = token === undefined ? 'process.env.TOKEN' : quoted(token)
  const { before, call } = fetchCode(request, own, ({ filename }) => `BYTES /* of ${filename.replaceAll('*/', '')} */`)
  return [...before, `const response = ${call}`, ''].join('\n')
}

/** An exchange as a test for node:test, which expects the same answer again. Files are read by their names. */
export function asTest(entry: ExchangeEntry, { origin, token }: Reached): string {
  const orToken = `process.env.COUNTERSIGN_TOKEN ?? ${quoted(token)}`
  // A token that is refused is refused, whoever runs the test.
  const own = entry.status === 401 || entry.status === 403 ? quoted(token) : orToken
  const { before, call } = fetchCode(
    sentRequest(entry),
    own,
    ({ filename }) => `readFileSync(${quoted(filename)})`,
    'base + ',
  )
  const lines = [...before, ...assertions(entry, call)]
  return [
    "import assert from 'node:assert/strict'",
    ...(lines.some((line) => line.includes('readFileSync(')) ? ["import { readFileSync } from 'node:fs'"] : []),
    "import { test } from 'node:test'",
    '',
    `const base = process.env.COUNTERSIGN_URL ?? ${quoted(origin)}`,
    ...(lines.some((line) => line.includes('steady(')) ? ['', ...STEADY] : []),
    '',
    `test(${quoted(nameOf(entry))}, async () => {`,
    ...lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`.trimEnd()),
    '})',
    '',
  ].join('\n')
}

function nameOf({ operation, method, url, status, response }: ExchangeEntry): string {
  const what = operation ?? `${method} ${url.split('?')[0]}`
  return response?.fault ? `${what} fails with ${response.fault}` : `${what} answers ${status}`
}

function assertions({ status, method, response }: ExchangeEntry, call: string): string[] {
  if (status === null) return [`await assert.rejects(async () => (${call}).text())`]
  const { body = null, headers = {} } = response ?? {}
  const expected = [`const response = ${call}`, `assert.equal(response.status, ${status})`]
  if (method === 'HEAD' || body === null || JSON.stringify(body).includes(REDACTED)) return expected
  if (!/json/.test(headers['content-type'] ?? ''))
    return [...expected, `assert.equal(await response.text(), ${literal(body)})`]
  const isSteady = method === 'GET' || JSON.stringify(body) === JSON.stringify(steady(body))
  if (isSteady) return [...expected, `assert.deepEqual(await response.json(), ${literal(body)})`]
  return [...expected, `assert.deepEqual(steady(await response.json()), ${literal(steady(body))})`]
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

const STEADY = [
  '// Times, ids and where links begin differ from run to run.',
  'const steady = (body) =>',
  '  JSON.parse(JSON.stringify(body), (_, value) =>',
  `    typeof value === 'string' ? value.replace(${TIME}, 'a time').replace(${ID}, 'an id').replace(${BASE}, '') : value,`,
  '  )',
]

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value, null, 2)
}

/** A request as a call of `fetch`, and the lines before it; `token` is code, and so are `bytesOf` a file and `base`. */
function fetchCode(
  { method, url, headers, form, text = null }: SentRequest,
  token: string,
  bytesOf: (file: FileEntry) => string,
  base = '',
): { before: string[]; call: string } {
  const fields = form?.map(([name, value]) => {
    if (typeof value === 'string') return `form.append(${quoted(name)}, ${templated(value)})`
    const type = value.mimetype === '' ? '' : `, { type: ${quoted(value.mimetype)} }`
    const file = quoted(value.filename)
    return `form.append(${quoted(name)}, new File([${bytesOf(value)}], ${file}${type}))`
  })
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    ...(headers.length === 0
      ? []
      : [`headers: { ${headers.map(([name, value]) => `${quoted(name)}: ${templated(value)}`).join(', ')} }`]),
    ...(form === undefined ? [] : ['body: form']),
    ...(text === null ? [] : [`body: ${templated(text)}`]),
  ]
  return {
    before: [
      ...(JSON.stringify([url, headers, form, text]).includes(REDACTED) ? [`const token = ${token}`] : []),
      ...(fields === undefined ? [] : ['const form = new FormData()', ...fields]),
    ],
    call: `await fetch(${base}${templated(url)}${options.length > 0 ? `, { ${options.join(', ')} }` : ''})`,
  }
}

function templated(text: string): string {
  if (!text.includes(REDACTED)) return quoted(text)
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll(REDACTED, `$${'{token}'}`)}\``
}

function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner.replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)}'`
}
