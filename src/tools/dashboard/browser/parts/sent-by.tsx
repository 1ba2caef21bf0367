import type { ExchangeEntry } from '../../../../engine/journal/entry.js'
import { linkTo } from '../address.js'
import { useAdminQuery } from '../admin-query.js'

/** Links to the request that brought something about; its entry has the words of the search. */
export function SentBy({ search, isIts }: { search: string; isIts: (exchange: ExchangeEntry) => boolean }) {
  const path = `requests?limit=50&search=${encodeURIComponent(search)}`
  const { data } = useAdminQuery<{ requests: readonly ExchangeEntry[] }>(path, ['exchanges', 'journal'])
  const exchange = data?.requests.find(isIts)
  if (exchange === undefined) return null
  return (
    <span>
      by request <a href={linkTo('requests', exchange.id)}>{exchange.id}</a>
    </span>
  )
}
