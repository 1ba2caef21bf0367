import type { ComponentChildren } from 'preact'
import type { Failure } from '../api.js'
import { Problem } from './problem.js'
import { useRows } from './rows.js'
import { SearchBox } from './search-box.js'

interface Props {
  readonly title: string
  /** The id of the row that is open. */
  readonly open: string | undefined
  readonly actions: ComponentChildren
  /** What the list is searched for. */
  readonly search: string
  readonly setSearch: (text: string) => void
  /** What stands beside the search. */
  readonly filters?: ComponentChildren
  readonly failure: Failure | undefined
  /** What stands above the rows. */
  readonly children?: ComponentChildren
  readonly rows: readonly ComponentChildren[]
  /** The class of the rows. */
  readonly kind: string
  /** What was opened, to stand beside the list. */
  readonly panel: ComponentChildren
}

/** A list, and beside it the row that was opened. */
export function ListView(props: Props) {
  const { title, open, actions, search, setSearch, filters, failure, children, rows, kind, panel } = props
  const list = useRows<HTMLOListElement>(open, rows.length)
  return (
    <div class={panel ? 'split opened' : 'split'}>
      <section class="list" aria-labelledby="title">
        <header>
          <h1 id="title" tabIndex={-1}>
            {title}
          </h1>
          {actions}
        </header>
        <search class="filters">
          <SearchBox label={`Search ${title.toLowerCase()}`} value={search} set={setSearch} />
          {filters}
        </search>
        <Problem failure={failure} />
        {children}
        <ol class={`rows ${kind}`} ref={list}>
          {rows}
        </ol>
      </section>
      {panel}
    </div>
  )
}
