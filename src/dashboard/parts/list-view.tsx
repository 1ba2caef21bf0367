import type { ComponentChildren } from 'preact'
import type { Failure } from '../api.js'
import { Problem } from './act.js'
import { useRows } from './rows.js'

interface Props {
  readonly title: string
  readonly heading?: 'h1' | 'h2'
  readonly actions: ComponentChildren
  /** What the list is searched for. */
  readonly search: string
  readonly setSearch: (text: string) => void
  /** What stands beside the search. */
  readonly filters?: ComponentChildren
  readonly failure: Failure | undefined
  readonly children: ComponentChildren
  /** What was opened, to stand beside the list. */
  readonly panel: ComponentChildren
}

/** A list, and beside it the row that was opened. */
export function ListView(props: Props) {
  const { title, heading: Heading = 'h1', actions, search, setSearch, filters, failure, children, panel } = props
  return (
    <div class={panel ? 'split opened' : 'split'}>
      <section class="list" aria-labelledby="list-title">
        <header>
          <Heading id="list-title" tabIndex={-1}>
            {title}
          </Heading>
          {actions}
        </header>
        <search class="filters">
          <SearchBox label={`Search ${title.toLowerCase()}`} value={search} set={setSearch} />
          {filters}
        </search>
        <Problem failure={failure} />
        {children}
      </section>
      {panel}
    </div>
  )
}

interface RowsProps {
  readonly class: string
  /** The id of the row that is open. */
  readonly open: string | undefined
  readonly children: readonly ComponentChildren[]
}

export function Rows({ class: kind, open, children }: RowsProps) {
  const list = useRows<HTMLOListElement>(open, children.length)
  return (
    <ol class={`rows ${kind}`} ref={list}>
      {children}
    </ol>
  )
}

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
}

export function SearchBox({ label, value, set }: SearchBoxProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  )
}
