import type { CollectionName } from '../../../schemas/fixtures.js'
import { type Address, linkTo } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { Problem } from '../parts/problem.js'
import { Collection } from './state/collection.js'
import { Transfer } from './state/transfer.js'

/** The records of this sandbox, by collection. */
export function State({ address: [open, record] }: { readonly address: Address }) {
  const { data, failure } = useAdminQuery<{ counts: Readonly<Record<string, number>> }>('state?counts', [
    'state',
    'mail',
  ])
  const counts = Object.entries(data?.counts ?? {})
  const collection = (open || counts[0]?.[0]) as CollectionName | undefined
  return (
    <div class="page state">
      <header>
        <h1 tabIndex={-1}>State</h1>
        <Transfer />
      </header>
      <Problem failure={failure} />
      <nav class="collections" aria-label="Collections">
        <ul>
          {counts.map(([name, count]) => (
            <li key={name}>
              <a href={linkTo('state', name)} aria-current={name === collection ? 'true' : undefined}>
                {name} <span class="quiet">{count.toLocaleString()}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {collection !== undefined && <Collection key={collection} name={collection} open={record} />}
    </div>
  )
}
