import { REDACTED } from '../../../text/redacted.js'
import type { FileEntry } from '../../../world/journal/exchange.js'
import { isForm, isTyped } from '../../../world/journal/sent-request.js'
import { type ApiCall, SendButton } from '../../parts/send-button.js'
import type { OpenedExchange } from '../../shapes.js'

/** Sends the same request to the same sandbox, with the token of the same user. */
export function SendAgain({ exchange }: { readonly exchange: OpenedExchange }) {
  const files = fieldsIn(exchange).flatMap(([, value]) => (typeof value === 'string' ? [] : [value.filename]))
  if (files.length > 0) {
    return (
      <p class="quiet">
        The journal does not keep {files.map((name) => name || 'a file without a name').join(', ')}. Send this request
        again from your app.
      </p>
    )
  }
  return (
    <>
      <SendButton call={() => sameCall(exchange)}>Send again</SendButton>
      <span class="quiet">{credentialOf(exchange)}</span>
    </>
  )
}

function fieldsIn({ request: { body } }: OpenedExchange): readonly (readonly [string, string | FileEntry])[] {
  if (!isForm(body)) return []
  return Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, one as string] as const))
}

/** Such as `as Li Jun, token-member`. */
function credentialOf({ caller, request: { headers } }: OpenedExchange): string {
  if (caller !== null) return `as ${caller.first_name} ${caller.last_name}, ${caller.token}`
  return 'authorization' in headers || 'user-token' in headers ? 'with a token that no user has' : 'without a token'
}

function sameCall(exchange: OpenedExchange): ApiCall {
  const { method, url, request, caller } = exchange
  const { body } = request
  const filled = (text: string) => text.replaceAll(REDACTED, caller?.token ?? 'no-such-token')
  const form = new FormData()
  for (const [name, value] of fieldsIn(exchange)) form.append(name, filled(String(value)))
  return {
    method,
    path: filled(url.replace(/^\/~[^/?]*/, '')),
    headers: Object.entries(request.headers)
      .filter(([name]) => isTyped(name, body))
      .map(([name, value]) => [name, filled(value)]),
    body: body === null || method === 'GET' ? undefined : isForm(body) ? form : filled(body),
  }
}
