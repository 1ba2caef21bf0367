import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { CallError } from '../admin.js'
import { Problem } from './controls.js'

type SearchProps = { search: string; set: (filter: { readonly search: string }) => void }

interface ListViewProps extends SearchProps {
  readonly title: string
  readonly open: string | undefined
  readonly rowCount: number
  readonly actions: ComponentChildren
  readonly filters?: ComponentChildren
  readonly failure: CallError | undefined
  readonly children: ComponentChildren
  readonly panel: ComponentChildren
}

export function ListView({ title, actions, search, set, filters, failure, children, panel, ...rows }: ListViewProps) {
  const list = useRows(rows)
  return (
    <div class={panel ? 'split opened' : 'split'}>
      <section class="list" ref={list} aria-labelledby="list-title">
        <header>
          <h1 id="list-title" tabIndex={-1}>
            {title}
          </h1>
          {actions}
        </header>
        <search>
          <SearchBox label={`Search ${title.toLowerCase()}`} search={search} set={set} />
          {filters}
        </search>
        <Problem failure={failure} />
        {children}
      </section>
      {panel}
    </div>
  )
}

export function SearchBox({ label, search, set }: SearchProps & { readonly label: string }) {
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) => set({ search: currentTarget.value })
  return <input type="search" aria-label={label} placeholder={label} value={search} onInput={onInput} />
}

/** Ignores letter case. */
export function matches(text: string, search: string): boolean {
  return text.toLowerCase().includes(search.toLowerCase())
}

interface RowProps {
  readonly to: string
  readonly isOpen: boolean
  readonly children: ComponentChildren
  readonly beside?: ComponentChildren
}

export function Row({ to, isOpen, children, beside }: RowProps) {
  return (
    <li>
      <a href={to} aria-current={isOpen ? 'true' : undefined}>
        {children}
      </a>
      {beside}
    </li>
  )
}

const LINKS = '.rows > li > a, .records th > a'

/** One tab stop for all rows; scrolls to the open row. */
function useRows({ open, rowCount }: Pick<ListViewProps, 'open' | 'rowCount'>) {
  const list = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const links = linksIn(list.current)
    setTabStop(links, links.find((link) => link === document.activeElement) ?? links.find(isOpen) ?? links[0])
  })
  useEffect(() => {
    let frame = 0
    const scrollToOpenRow = (framesLeft: number) => {
      linksIn(list.current).find(isOpen)?.scrollIntoView({ block: 'nearest' })
      // Rows get their heights when drawn, which may move this one away.
      if (framesLeft > 0) frame = requestAnimationFrame(() => scrollToOpenRow(framesLeft - 1))
    }
    scrollToOpenRow(10)
    return () => cancelAnimationFrame(frame)
  }, [open, rowCount > 0])
  return list
}

const nextPositions: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** Arrow keys, Home and End move among rows; `/` goes to the search. */
export function moveByKeys(event: KeyboardEvent): void {
  const { target, key, defaultPrevented, ctrlKey, metaKey, altKey } = event
  if (defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
  if (document.querySelector('dialog') !== null) return
  const search = document.querySelector<HTMLInputElement>('main [type=search]')
  const links = linksIn(document)
  const isField = target.matches('input:not([type=checkbox]), textarea, select, .editor')
  if (key === '/' && !isField) {
    event.preventDefault()
    return search?.focus()
  }
  const focused = links.indexOf(target as HTMLAnchorElement)
  const current = focused === -1 ? links.findIndex(isOpen) : focused
  // Elsewhere, arrow keys scroll.
  const isInList = target.matches('body, [tabindex="-1"], .list :not(.scroll)') && !isField
  const isMoving = focused !== -1 || (key.startsWith('Arrow') && isInList)
  const at = isMoving ? nextPositions[key]?.(current, links.length - 1) : undefined
  const link = links[target === search && key === 'ArrowDown' ? 0 : (at ?? -1)]
  if (link === undefined) return
  event.preventDefault()
  if (links.some(isOpen)) link.click()
  else link.focus()
  setTabStop(links, link)
}

function linksIn(within: ParentNode | null): HTMLAnchorElement[] {
  return [...(within?.querySelectorAll<HTMLAnchorElement>(LINKS) ?? [])]
}

function isOpen(link: HTMLAnchorElement): boolean {
  return link.ariaCurrent === 'true'
}

function setTabStop(links: readonly HTMLAnchorElement[], stop: HTMLElement | undefined): void {
  for (const link of links) link.tabIndex = link === stop ? 0 : -1
}
