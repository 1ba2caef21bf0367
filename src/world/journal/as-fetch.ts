import type { CurlCall, CurlValue } from '../../text/curl.js'
import { REDACTED } from '../../text/redacted.js'
import type { ExchangeEntry, FileEntry } from './entry.js'
import { urlInSandbox } from './exchange.js'
import { isForm, isTyped } from './sent-request.js'

/** Where a server is reached, and the token that examples use. */
export interface Reached {
  readonly origin: string
  readonly token: string
}

/** An exchange's request as a call of `fetch`; the token and the bytes of files are for the reader to fill in. */
export function asFetch(entry: ExchangeEntry, { origin, token }: Reached): string {
  const made = `const response = ${call(entry, templated(`${origin}${urlInSandbox(entry)}`))}`
  return [...tokenLine(entry, quoted(token)), ...formLines(entry, FILL_IN), made, ''].join('\n')
}

/** A call that was never made, as a call of `fetch`; without a token, the reader's own is taken. */
export function correctedFetch({ method, url, form }: CurlCall, token: string | undefined): string {
  const fields = form.map(
    ([name, value]) => `form.append(${quoted(name)}, ${typeof value === 'string' ? quoted(value) : fileAt(value)})`,
  )
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    `headers: { authorization: \`Bearer ${PLACE}\` }`,
    ...(fields.length === 0 ? [] : ['body: form']),
  ]
  return [
    `const token = ${token === undefined ? 'process.env.TOKEN' : quoted(token)}`,
    ...(fields.length === 0 ? [] : ['const form = new FormData()', ...fields]),
    `const response = await fetch(${quoted(url)}, { ${options.join(', ')} })`,
    '',
  ].join('\n')
}

function fileAt({ path, type }: Exclude<CurlValue, string>): string {
  const options = type === undefined ? '' : `, { type: ${quoted(type)} }`
  return `new File([BYTES /* of ${path.replaceAll('*/', '')} */], ${quoted(path.split('/').at(-1) as string)}${options})`
}

/** The line that holds the token, as code; none where nothing was redacted. */
export function tokenLine(entry: ExchangeEntry, token: string): string[] {
  return JSON.stringify([entry.url, entry.request]).includes(REDACTED) ? [`const token = ${token}`] : []
}

/** How the bytes of a file are come by. */
export type BytesOf = (file: FileEntry) => string

const FILL_IN: BytesOf = ({ size }) => `BYTES /* ${size} */`

/** The form, built field by field; none where there is no form. */
export function formLines({ request }: ExchangeEntry, bytesOf: BytesOf): string[] {
  const { body } = request
  if (!isForm(body)) return []
  const fields = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((one) => `form.append(${quoted(name)}, ${field(one as string | FileEntry, bytesOf)})`),
  )
  return ['const form = new FormData()', ...fields]
}

function field(value: string | FileEntry, bytesOf: BytesOf): string {
  if (typeof value === 'string') return templated(value)
  const { filename, mimetype } = value
  return `new File([${bytesOf(value)}], ${quoted(filename)}, { type: ${quoted(mimetype)} })`
}

/** The request as a call of `fetch`; `url` is code. */
export function call({ method, request }: ExchangeEntry, url: string): string {
  const { body } = request
  const own = Object.entries(request.headers)
    .filter(([name]) => isTyped(name, body))
    .map(([name, value]) => `${quoted(name)}: ${templated(value)}`)
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    ...(own.length > 0 ? [`headers: { ${own.join(', ')} }`] : []),
    ...(isForm(body) ? ['body: form'] : body === null ? [] : [`body: ${templated(body)}`]),
  ]
  return `await fetch(${[url, ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : [])].join(', ')})`
}

/** Where a template literal has the token. */
const PLACE = `$${'{token}'}`

/** A text as a literal; what was redacted is the token. */
export function templated(text: string): string {
  if (!text.includes(REDACTED)) return quoted(text)
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll(REDACTED, PLACE)}\``
}

/** A text as a string literal. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner.replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)}'`
}

/** A JSON value as code. */
export function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value, null, 2)
}
