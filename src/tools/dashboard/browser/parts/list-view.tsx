import type { ComponentChild, ComponentChildren } from 'preact'
import type { CallError } from '../api.js'
import { Problem } from './controls.js'
import { useRows } from './rows.js'

const MOST = 200

interface ListViewProps {
  readonly title: string
  readonly heading?: 'h1' | 'h2'
  readonly actions: ComponentChildren
  readonly search: string
  readonly setSearch: (text: string) => void
  readonly filters?: ComponentChildren
  readonly failure: CallError | undefined
  readonly children: ComponentChildren
  readonly panel: ComponentChildren
}

export function ListView(props: ListViewProps) {
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
        <search class="row filters">
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

/** The first rows of a list, and a note if there are more. */
export function firstOf<Row>(rows: readonly Row[]) {
  const note = rows.length > MOST && <p class="quiet">The first {MOST} are shown; search for others.</p>
  return [rows.slice(0, MOST), note] as const
}

export function Rows({ class: kind, open, children }: { class: string; open?: string; children: ComponentChild[] }) {
  const list = useRows<HTMLOListElement>(open, children.length)
  if (children.length === 0) return null
  return (
    <ol class={`rows ${kind}`} ref={list}>
      {children}
    </ol>
  )
}

export function SearchBox({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  )
}
