import type { ExchangeEntry } from '../../../../../engine/journal/entry.js'
import { isForm } from '../../../../../engine/journal/sent-request.js'
import { get } from '../../admin.js'
import { apiFacts, collectionNamed } from '../../api-facts.js'
import { SendButton } from '../../parts/send.js'

type Caller = Readonly<Record<string, string>>

export interface OpenedExchange extends ExchangeEntry {
  /** While it is not answered yet. */
  readonly received?: number
  readonly elapsed?: number
  /** What names the user who called; null for any other caller. */
  readonly caller: Caller | null
}

export function SendAgain({ exchange }: { readonly exchange: OpenedExchange }) {
  const { id, caller, request } = exchange
  const values = isForm(request.body) ? Object.values(request.body).flat() : []
  const files = values.flatMap((value) =>
    typeof value === 'string' ? [] : [value.filename || 'a file without a name'],
  )
  if (files.length > 0) {
    return <p class="quiet">The journal does not keep {files.join(', ')}. Send this request again from your app.</p>
  }
  return (
    <p class="row">
      <SendButton label="Send again" call={() => get(`requests/${encodeURIComponent(id)}?format=call`)} />
      <span class="quiet">{caller === null ? describeToken(exchange) : `as ${nameOf(caller)}`}</span>
    </p>
  )
}

function nameOf(caller: Caller): string {
  const { key } = collectionNamed(apiFacts.users.collection)
  const named = Object.entries(caller).filter(([field]) => !key.includes(field))
  return named.map(([, text]) => text).join(' ')
}

function describeToken({ request: { headers } }: OpenedExchange): string {
  const hasToken = apiFacts.tokenHeaders.some(({ name }) => name in headers)
  return hasToken ? 'with a token that no user has' : 'without a token'
}
