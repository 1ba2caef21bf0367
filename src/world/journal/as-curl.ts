import { formField, shellQuote } from '../../text/curl.js'
import { REDACTED } from '../../text/redacted.js'
import type { ExchangeEntry } from './entry.js'
import { sentRequest } from './sent-request.js'

/** An exchange's request as a curl line, with what somebody would type; files are for the reader to fill in. */
export function asCurl(entry: ExchangeEntry, origin: string): string {
  const { method, url, headers, form, text } = sentRequest(entry)
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
    shellQuoteWithToken(`${origin}${url}`),
  ].join(' ')
}

/** Double quotes let the shell fill in `$TOKEN` for what was redacted; everything else stays literal. */
function shellQuoteWithToken(text: string): string {
  if (!text.includes(REDACTED)) return shellQuote(text)
  return `"${text.replace(/["\\`$]/g, '\\$&').replaceAll(REDACTED, '$TOKEN')}"`
}
