import { headerValue } from '../contract/contract.js'
import type { TokenHeader } from '../contract/conventions.js'
import type { FileEntry } from '../contract/fields.js'
import { escapeCharacter, REDACTED, UNSAFE_CHARACTERS } from '../contract/wording.js'
import { type CurlCall, formOption, nameOnDisk, printControls, shellQuote } from '../judge/curl.js'
import { headerAsUtf8 } from '../judge/token.js'
import type { ExchangeEntry } from './entry.js'
import { type SentRequest, sentRequest } from './sent-request.js'

/** The server that code calls, and the token that it sends. */
export interface SnippetServer {
  readonly origin: string
  readonly token: string
  /** True if `exec` sets it, too. */
  readonly isFirstToken: boolean
}

/** The request of an exchange as a curl line, without headers that clients add. Files are named, not included. */
export function asCurl(entry: ExchangeEntry, origin: string): string {
  const { method, url, headers, form, text = null } = sentRequest(entry, origin)
  const texts = [text, ...(form ?? []).flat()]
  if (texts.some((one) => String(one).includes('\0'))) return `# ${entry.id} has a NUL, which no command can hold.`
  const fields = form?.map(([name, value]) => {
    const curlValue =
      typeof value === 'string' ? value : { path: nameOnDisk(value.filename) || 'FILE', type: value.mimetype }
    return formOption(name, curlValue, shellQuoteWithToken)
  })
  // After a colon, curl would omit an empty header.
  const headerLines = headers.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${headerAsUtf8(value)}`))
  return [
    'curl',
    // Brackets in a URL are patterns to curl.
    ...(/[[\]{}]/.test(url.replaceAll(REDACTED, '')) ? ['-g'] : []),
    ...methodOption(method, form !== undefined || text !== null),
    ...(isPath(entry) ? [] : [`--request-target ${shellQuoteWithToken(entry.url ?? '')}`]),
    ...headerLines.map((line) => `-H ${shellQuoteWithToken(line)}`),
    // Otherwise, curl adds a Content-Type.
    ...(text === null || headers.some(([name]) => name === 'content-type') ? [] : ["-H 'content-type:'"]),
    ...(fields ?? []),
    ...(text === null ? [] : [`--data-raw ${shellQuoteWithToken(text)}`]),
    shellQuoteWithToken(isPath(entry) ? url : origin),
  ].join(' ')
}

/** With -X HEAD, curl would wait for a body. */
function methodOption(method: string, hasBody: boolean): string[] {
  if (hasBody) return [`-X ${method}`]
  return method === 'GET' ? [] : [method === 'HEAD' ? '-I' : `-X ${method}`]
}

/** False for the targets of CONNECT, `OPTIONS *` and requests to a proxy. */
function isPath({ url }: ExchangeEntry): boolean {
  return url?.startsWith('/') === true
}

/** The fetch standard forbids some methods. */
export function isForFetch(entry: ExchangeEntry): boolean {
  return isPath(entry) && !['CONNECT', 'TRACE', 'TRACK'].includes(entry.method ?? '')
}

function shellQuoteWithToken(text: string): string {
  if (!text.includes(REDACTED)) return shellQuote(text)
  return `"${printControls(text.replace(/["\\`$]/g, '\\$&').replaceAll(REDACTED, '$TOKEN'))}"`
}

/** A request as data, to be sent again to the same sandbox; undefined if it has files. */
export function asCall(entry: ExchangeEntry, token: string): object | undefined {
  const { method, headers, form = [], text } = sentRequest(entry)
  if (form.some(([, value]) => typeof value !== 'string')) return undefined
  const filled = (redacted: unknown) => String(redacted).replaceAll(REDACTED, token)
  return {
    method,
    path: filled(entry.url).replace(/^\/~[^/?]*/, ''),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, filled(value)])),
    form: form.map(([name, value]) => ({ name, value: filled(value) })),
    text: text ? filled(text) : null,
  }
}

export function curlAsFetch({ method, url, form }: CurlCall, header: TokenHeader | undefined, token: string): string {
  const fields = form.map(([name, value]): [string, string | FileEntry] => {
    if (typeof value === 'string') return [name, value]
    return [name, { filename: value.path, mimetype: value.type ?? '', size: 0, sha256: '' }]
  })
  const headers: SentRequest['headers'] = header === undefined ? [] : [[header.name, headerValue(header, REDACTED)]]
  const request = { method, url, headers, form: fields.length === 0 ? undefined : fields }
  return fetchSnippet(request, token)
}

export function fetchSnippet(request: SentRequest, token: string): string {
  const { before, call } = fetchCode(request, quoted(token))
  const hasFile = request.form?.some(([, value]) => typeof value !== 'string') === true
  const inPage = '// In a page, use a File of an <input type="file"> instead of each new File.'
  return [...(hasFile ? [READ_FILE, inPage] : []), ...before, `const response = ${call}`, ''].join('\n')
}

const READ_FILE = "import { readFileSync } from 'node:fs'"

/** The assertions of node:test; their arguments are code. */
const nodeTest = {
  imports: ["import assert from 'node:assert/strict'", "import { test } from 'node:test'"],
  equal: (actual: string, expected: string) => `assert.equal(${actual}, ${expected})`,
  deepEqual: (actual: string, expected: string) => `assert.deepEqual(${actual}, ${expected})`,
  rejects: (work: string) => `await assert.rejects(${work})`,
}

const withExpect = (framework: string): typeof nodeTest => ({
  imports: [`import { expect, test } from '${framework}'`],
  equal: (actual, expected) => `expect(${actual}).toBe(${expected})`,
  deepEqual: (actual, expected) => `expect(${actual}).toEqual(${expected})`,
  rejects: (work) => `await expect(${work}).rejects.toThrow()`,
})

/** By the format of the admin API. */
export const FRAMEWORKS: ReadonlyMap<string, typeof nodeTest> = new Map([
  ['test', nodeTest],
  ['vitest', withExpect('vitest')],
  ['playwright', withExpect('@playwright/test')],
])

/** An exchange as a test that expects the same answer. It reads files by their names. */
export function asTest(entry: ExchangeEntry, framework: typeof nodeTest, server: SnippetServer, isCut: boolean) {
  const { origin, token, isFirstToken } = server
  const orToken = `process.env.COUNTERSIGN_TOKEN ?? ${quoted(token)}`
  // A test of a 401 or 403 needs the token that was rejected.
  const tokenCode = !isFirstToken || entry.status === 401 || entry.status === 403 ? quoted(token) : orToken
  const { before, call } = fetchCode(sentRequest(entry), tokenCode, 'base + ')
  const lines = [...before, ...assertions(entry, call, framework, isCut)]
  const readsFile = lines.some((line) => line.includes('readFileSync('))
  return [
    ...[...framework.imports, ...(readsFile ? [READ_FILE] : [])].sort(),
    '',
    `const base = process.env.COUNTERSIGN_URL ?? ${quoted(origin)}`,
    '',
    `test(${quoted(nameOf(entry))}, async () => {`,
    ...lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`.trimEnd()),
    '})',
    '',
  ].join('\n')
}

function nameOf({ operation, method, url, status, response }: ExchangeEntry): string {
  const what = operation ?? `${method} ${url?.split('?')[0]}`
  return response?.fault ? `${what} fails with ${response.fault}` : `${what} answers ${status}`
}

function assertions(entry: ExchangeEntry, call: string, framework: typeof nodeTest, isCut: boolean): string[] {
  const { status, method, response } = entry
  const { equal, deepEqual, rejects } = framework
  if (status === null) return [rejects(`async () => (${call}).text()`)]
  const { body = null, headers = {} } = response ?? {}
  const expected = [`const response = ${call}`, equal('response.status', `${status}`)]
  if (isCut) return [...expected, '// The journal did not keep the body.']
  if (method === 'HEAD' || body === null || JSON.stringify(body).includes(REDACTED)) return expected
  if (!/json/.test(headers['content-type'] ?? '')) return [...expected, equal('await response.text()', literal(body))]
  if (method !== 'GET' && CHANGING.test(JSON.stringify(body))) return expected
  return [...expected, deepEqual('await response.json()', literal(body))]
}

/** Times, ids and links, which change when the call is repeated. */
const CHANGING = /\d{4}-\d\d-\d\dT[\d:.]+Z|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|https?:\/\//

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : jsonLiteral(value)
}

/** Code that calls `fetch` and reads files by their names, and the lines before it; `token` and `base` are code. */
function fetchCode({ method, url, headers, form, text = null }: SentRequest, token: string, base = '') {
  const fields = form?.map(([name, value]) => {
    if (typeof value === 'string') return `form.append(${quoted(name)}, ${templated(value)})`
    const type = value.mimetype === '' ? '' : `, { type: ${quoted(value.mimetype)} }`
    const file = quoted(nameOnDisk(value.filename) || 'FILE')
    return `form.append(${quoted(name)}, new File([readFileSync(${file})], ${file}${type}))`
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
  const inTemplate = escaped(text).replace(/`|\$(?=\{)/g, '\\$&')
  return `\`${inTemplate.replaceAll(REDACTED, `$${'{token}'}`)}\``
}

function quoted(text: string): string {
  return `'${escaped(text).replaceAll("'", "\\'")}'`
}

function escaped(text: string): string {
  return jsonLiteral(text).slice(1, -1).replaceAll('\\"', '"')
}

/** Only line breaks of the indentation are left as they are. */
function jsonLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNSAFE_CHARACTERS, (one) => (one === '\n' ? one : escapeCharacter(one)))
}
