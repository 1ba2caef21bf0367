import type { User } from '../../../../../api/records.js'
import type { ExchangeEntry } from '../../../../../engine/journal/entry.js'
import { REDACTED } from '../../../../../engine/journal/redactor.js'
import { sentRequest } from '../../../../../engine/journal/sent-request.js'
import { useAdminQuery } from '../../admin-query.js'
import { type ApiCall, SendButton } from '../../parts/send-button.js'

export interface OpenedExchange extends ExchangeEntry {
  /** While it is not answered yet. */
  readonly received?: number
  readonly elapsed?: number
  readonly caller: { readonly uuid: string; readonly first_name: string; readonly last_name: string } | null
}

export function SendAgain({ exchange }: { readonly exchange: OpenedExchange }) {
  const { caller } = exchange
  const { data } = useAdminQuery<{ users: readonly User[] }>('state?collection=users', ['state'])
  if (data === undefined) return null
  const files = sentRequest(exchange).form?.flatMap(([, value]) => (typeof value === 'string' ? [] : [value.filename]))
  if (files?.length) {
    return (
      <p class="quiet">
        The journal does not keep {files.map((name) => name || 'a file without a name').join(', ')}. Send this request
        again from your app.
      </p>
    )
  }
  const token = data.users.find(({ uuid }) => uuid === caller?.uuid)?.token
  return (
    <>
      <SendButton call={async () => sameCall(exchange, token ?? 'no-such-token')}>Send again</SendButton>
      <span class="quiet">
        {caller === null ? describeToken(exchange) : `as ${caller.first_name} ${caller.last_name}, ${token}`}
      </span>
    </>
  )
}

function describeToken({ request: { headers } }: OpenedExchange): string {
  return 'authorization' in headers || 'user-token' in headers ? 'with a token that no user has' : 'without a token'
}

function sameCall(exchange: OpenedExchange, token: string): ApiCall {
  const { method, url, headers, form, text } = sentRequest(exchange)
  const filled = (redacted: string) => redacted.replaceAll(REDACTED, token)
  const fields = new FormData()
  for (const [name, value] of form ?? []) fields.append(name, filled(String(value)))
  return {
    method,
    path: filled(url.replace(/^\/~[^/?]*/, '')),
    headers: headers.map(([name, value]) => [name, filled(value)]),
    body: form ? fields : text && method !== 'GET' ? filled(text) : undefined,
  }
}
