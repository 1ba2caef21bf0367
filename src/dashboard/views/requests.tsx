import { useMemo } from 'preact/hooks'
import { call } from '../api.js'
import { MOST_EXCHANGES } from '../live.js'
import { Action } from '../parts/action.js'
import { counted } from '../parts/marks.js'
import { ExchangePanel } from './requests/exchange.js'
import { EVERYTHING, Filters, matching, useFilter } from './requests/filters.js'
import { useFound } from './requests/found.js'
import { ExchangeRow } from './requests/row.js'
import { moveByArrows } from './rows.js'
import type { ViewProps } from './view.js'

/** The journal, live; one exchange opens beside it. */
export function Requests({ address: [open], exchanges }: ViewProps) {
  const [filter, setFilter] = useFilter(open)
  const all = exchanges ?? NONE
  const worded = useFound(filter.text, exchanges)
  const found = useMemo(() => (worded ?? NONE).filter(matching(filter)), [worded, filter])
  return (
    <div class={`split ${open ? 'opened' : ''}`}>
      <section class="list" aria-labelledby="title">
        <header>
          <h1 id="title" tabIndex={-1}>
            Requests
          </h1>
          <Action
            call={() => call('requests', { method: 'DELETE' })}
            ask={`Delete ${counted(all.length, 'exchange')} from the journal?`}
          >
            Clear
          </Action>
        </header>
        <Filters filter={filter} set={setFilter} exchanges={all} />
        <p class="quiet count">
          {found.length === all.length
            ? counted(all.length, 'exchange')
            : `${found.length} of ${counted(all.length, 'exchange')}`}
          {all.length === MOST_EXCHANGES && ': the newest; older ones are not shown'}
        </p>
        {exchanges !== undefined && all.length === 0 && <Nothing />}
        {all.length > 0 && worded !== undefined && found.length === 0 && (
          <div class="nothing">
            <p>No request fits the filters.</p>
            <button type="button" onClick={() => setFilter(EVERYTHING)}>
              Clear filters
            </button>
          </div>
        )}
        <ol class="rows exchanges" onKeyDown={moveByArrows}>
          {found.map((one) => (
            <ExchangeRow key={one.id} exchange={one} current={one.id === open} />
          ))}
        </ol>
      </section>
      {open && <ExchangePanel id={open} />}
    </div>
  )
}

const NONE = [] as const

function Nothing() {
  return (
    <div class="nothing">
      <p>No requests yet. They appear here as they are answered.</p>
      <p>
        Point your app at this world, or send a first request from the <a href="docs">documentation</a>.
      </p>
    </div>
  )
}
