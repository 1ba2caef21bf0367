import type { CurlCall } from '../../text/curl.js'
import { REDACTED } from '../../text/redacted.js'
import type { ExchangeEntry, FileEntry } from './entry.js'
import { type SentRequest, sentRequest } from './sent-request.js'

/** Where a server is reached, and the token that examples use. */
export interface Reached {
  readonly origin: string
  readonly token: string
}

/** An exchange's request as a call of `fetch`; the token and the bytes of files are for the reader to fill in. */
export function asFetch(entry: ExchangeEntry, { origin, token }: Reached): string {
  const request = sentRequest(entry)
  return [
    ...tokenLine(entry, quoted(token)),
    ...formLines(request, ({ size }) => `BYTES /* ${size} */`),
    `const response = ${fetchCall(request, templated(`${origin}${request.url}`))}`,
    '',
  ].join('\n')
}

/** A call that was never made, as a call of `fetch`; without a token, the reader's own is taken. */
export function correctedFetch({ method, url, form }: CurlCall, token: string | undefined): string {
  const fields = form.map(([name, value]) => {
    if (typeof value === 'string') return [name, quoted(value)] as const
    const { path, type } = value
    const bytes = `BYTES /* of ${path.replaceAll('*/', '')} */`
    return [name, fileCode(bytes, path.split('/').at(-1) as string, type)] as const
  })
  const options = [`headers: { authorization: \`Bearer ${PLACE}\` }`, ...(fields.length === 0 ? [] : ['body: form'])]
  return [
    `const token = ${token === undefined ? 'process.env.TOKEN' : quoted(token)}`,
    ...(fields.length === 0 ? [] : formCode(fields)),
    `const response = ${callCode(quoted(url), method, options)}`,
    '',
  ].join('\n')
}

/** The line that holds the token, as code; none where nothing was redacted. */
export function tokenLine({ url, request }: ExchangeEntry, token: string): string[] {
  return JSON.stringify([url, request]).includes(REDACTED) ? [`const token = ${token}`] : []
}

/** The form, built field by field; none where there is no form. `bytesOf` gives the bytes of a file, as code. */
export function formLines({ form }: SentRequest, bytesOf: (file: FileEntry) => string): string[] {
  const fields = form?.map(([name, value]) => {
    if (typeof value === 'string') return [name, templated(value)] as const
    return [name, fileCode(bytesOf(value), value.filename, value.mimetype)] as const
  })
  return fields === undefined ? [] : formCode(fields)
}

/** A request as a call of `fetch`; `url` is code. */
export function fetchCall({ method, headers, form, text }: SentRequest, url: string): string {
  const own = headers.map(([name, value]) => `${quoted(name)}: ${templated(value)}`)
  return callCode(url, method, [
    ...(own.length > 0 ? [`headers: { ${own.join(', ')} }`] : []),
    ...(form !== undefined ? ['body: form'] : text === null ? [] : [`body: ${templated(text)}`]),
  ])
}

function callCode(url: string, method: string, others: readonly string[]): string {
  const options = [...(method === 'GET' ? [] : [`method: ${quoted(method)}`]), ...others]
  return `await fetch(${url}${options.length > 0 ? `, { ${options.join(', ')} }` : ''})`
}

function formCode(fields: readonly (readonly [name: string, code: string])[]): string[] {
  return ['const form = new FormData()', ...fields.map(([name, code]) => `form.append(${quoted(name)}, ${code})`)]
}

function fileCode(bytes: string, name: string, type: string | undefined): string {
  return `new File([${bytes}], ${quoted(name)}${type === undefined ? '' : `, { type: ${quoted(type)} }`})`
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
