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
  const body = request.body
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
