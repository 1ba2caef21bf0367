import { REDACTED } from '../../../../../engine/contract/wording.js'
import type { ExchangeEntry } from '../../../../../engine/journal/entry.js'
import { sentRequest } from '../../../../../engine/journal/sent-request.js'
import { useAdminQuery } from '../../admin.js'
import { apiFacts, collectionNamed, tokenOf } from '../../api-facts.js'
import { type ApiCall, SendButton } from '../../parts/send.js'

type Caller = Readonly<Record<string, string>>

export interface OpenedExchange extends ExchangeEntry {
  /** While it is not answered yet. */
  readonly received?: number
  readonly elapsed?: number
  /** What names the user who called; null for any other caller. */
  readonly caller: Caller | null
}

export function SendAgain({ exchange }: { readonly exchange: OpenedExchange }) {
  const { caller } = exchange
  const { collection } = apiFacts.users
  const path = `state?collection=${collection}`
  const { data } = useAdminQuery<Readonly<Record<string, readonly Caller[]>>>(path, ['state'])
  if (data === undefined) return null
  const files = sentRequest(exchange).form?.flatMap(([, value]) => (typeof value === 'string' ? [] : [value.filename]))
  if (files?.length) {
    const names = files.map((name) => name || 'a file without a name').join(', ')
    return <p class="quiet">The journal does not keep {names}. Send this request again from your app.</p>
  }
  const { key } = collectionNamed(collection)
  const token = tokenOf(data[collection]?.find((user) => key.every((field) => user[field] === caller?.[field])))
  return (
    <p class="row">
      <SendButton label="Send again" call={async () => sameCall(exchange, token ?? 'no-such-token')} />
      <span class="quiet">{caller === null ? describeToken(exchange) : `as ${nameOf(caller, key)}, ${token}`}</span>
    </p>
  )
}

function nameOf(caller: Caller, key: readonly string[]): string {
  const named = Object.entries(caller).filter(([field]) => !key.includes(field))
  return named.map(([, text]) => text).join(' ')
}

function describeToken({ request: { headers } }: OpenedExchange): string {
  const hasToken = apiFacts.tokenHeaders.some(({ name }) => name in headers)
  return hasToken ? 'with a token that no user has' : 'without a token'
}

function sameCall(exchange: OpenedExchange, token: string): ApiCall {
  const { method, url, headers, form, text } = sentRequest(exchange)
  const filled = (redacted: string) => redacted.replaceAll(REDACTED, token)
  const fields = new FormData()
  for (const [name, value] of form ?? []) fields.append(name, filled(String(value)))
  return {
    method,
    path: filled(url.replace(/^\/~[^/?]*/, '')),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, filled(value)])),
    body: form ? fields : text && method !== 'GET' ? filled(text) : null,
  }
}
