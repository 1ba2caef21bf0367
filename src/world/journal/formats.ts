import { formField } from '../../text/curl.js'
import { REDACTED } from '../../text/redacted.js'
import { shellQuote } from '../../text/shell.js'
import type { ExchangeEntry, FileEntry } from './entry.js'
import { urlInSandbox } from './exchange.js'
import { type Body, isForm, isTyped } from './sent-request.js'

/** An exchange's request as a curl line, with what somebody would type; files are for the reader to fill in. */
export function asCurl(entry: ExchangeEntry, origin: string): string {
  const { method, request } = entry
  const url = urlInSandbox(entry)
  const { body } = request
  const headers = Object.entries(request.headers)
    .filter(([name]) => isTyped(name, body))
    .map(([name, value]) => `-H ${shellQuoteWithToken(`${name}: ${value}`)}`)
  return [
    'curl',
    // Brackets in a URL are patterns to curl.
    ...(/[[\]{}]/.test(url.replaceAll(REDACTED, '')) ? ['-g'] : []),
    ...(method === 'GET' && body === null ? [] : [`-X ${method}`]),
    ...headers,
    ...bodyOf(body),
    shellQuoteWithToken(`${origin}${url}`),
  ].join(' ')
}

function bodyOf(body: Body): string[] {
  if (body === null) return []
  if (!isForm(body)) return [`--data-raw ${shellQuoteWithToken(body)}`]
  return Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((one) => field(name, one as string | FileEntry)),
  )
}

function field(name: string, value: string | FileEntry): string {
  const sent = typeof value === 'string' ? value : { path: value.filename || 'FILE', type: value.mimetype }
  return formField(name, sent, shellQuoteWithToken)
}

/** Double quotes let the shell fill in `$TOKEN` for what was redacted; everything else stays literal. */
function shellQuoteWithToken(text: string): string {
  if (!text.includes(REDACTED)) return shellQuote(text)
  return `"${text.replace(/["\\`$]/g, '\\$&').replaceAll(REDACTED, '$TOKEN')}"`
}

/** The exchanges as an HTTP Archive 1.2, oldest first. */
export function asHar(entries: readonly ExchangeEntry[], version: string, origin: string) {
  return {
    log: {
      version: '1.2',
      creator: { name: 'countersign', version },
      entries: entries.toReversed().map((entry) => ({
        startedDateTime: entry.at,
        time: entry.duration ?? -1,
        request: {
          method: entry.method,
          url: `${origin}${entry.url}`,
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: pairs(entry.request.headers),
          queryString: pairs(entry.request.query),
          ...(entry.request.body !== null && { postData: postData(entry) }),
          headersSize: -1,
          bodySize: -1,
        },
        response: {
          status: entry.status ?? 0,
          statusText: '',
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: pairs(entry.response?.headers ?? {}),
          content: content(entry),
          redirectURL: '',
          headersSize: -1,
          bodySize: -1,
        },
        cache: {},
        timings: { send: 0, wait: entry.duration ?? -1, receive: 0 },
        comment: [entry.outcome ?? 'no operation', entry.cause].join(', '),
      })),
    },
  }
}

function pairs(values: Readonly<Record<string, unknown>>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value) }))
}

function postData({ request }: ExchangeEntry) {
  const mimeType = request.headers['content-type'] ?? ''
  const { body } = request
  if (!isForm(body)) return { mimeType, text: body ?? '' }
  const params = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((one) => {
      const part = one as string | FileEntry
      return typeof part === 'string'
        ? { name, value: part }
        : { name, fileName: part.filename, contentType: part.mimetype }
    }),
  )
  return { mimeType, params, text: '' }
}

function content({ response }: ExchangeEntry) {
  const text = response === null || response.body === null ? '' : JSON.stringify(response.body)
  return { size: Buffer.byteLength(text), mimeType: response?.headers['content-type'] ?? '', text }
}
