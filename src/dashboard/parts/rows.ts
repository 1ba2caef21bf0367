import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** The links that rows are opened by. */
const LINKS = '.rows > li > a, .records th > a'

/**
 * Makes a list of rows one tab stop, brings the open row into view, and keeps the rows that are on screen in their
 * place when others come before them.
 */
export function useRows<E extends HTMLElement>(open: string | undefined, count: number): RefObject<E | null> {
  const list = useRef<E>(null)
  const seen = list.current && firstSeen(list.current)
  useLayoutEffect(() => {
    if (list.current === null) return
    if (seen?.row.isConnected) {
      const moved = seen.row.getBoundingClientRect().top - seen.top
      if (moved !== 0) scrollerOf(list.current).scrollBy({ top: moved, behavior: 'instant' })
    }
    setTabStop(linksIn(list.current))
  })
  useEffect(() => {
    list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [open, count > 0])
  useEffect(() => {
    const { current } = list
    const onFocus = () => current && setTabStop(linksIn(current))
    current?.addEventListener('focusin', onFocus)
    return () => current?.removeEventListener('focusin', onFocus)
  }, [])
  return list
}

/** The first row that is in view; undefined where the list is at its top, since new rows are to be seen there. */
function firstSeen(list: HTMLElement): { readonly row: Element; readonly top: number } | undefined {
  const scroller = scrollerOf(list)
  if (scroller.scrollTop === 0) return undefined
  const edge = scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top
  for (const row of list.children) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > edge) return { row, top }
  }
  return undefined
}

function scrollerOf(list: HTMLElement): Element {
  const own = list.closest('.list')
  return own && own.scrollHeight > own.clientHeight ? own : (document.scrollingElement ?? document.body)
}

function setTabStop(links: readonly HTMLAnchorElement[]): void {
  const stop =
    links.find((link) => link === document.activeElement) ??
    links.find((link) => link.ariaCurrent === 'true') ??
    links[0]
  for (const link of links) link.tabIndex = link === stop ? 0 : -1
}

function linksIn(within: ParentNode): HTMLAnchorElement[] {
  return [...within.querySelectorAll<HTMLAnchorElement>(LINKS)]
}

/** Arrow keys, Home and End move among the rows; where one is open, the next one opens. `/` goes to the search. */
export function moveByKeys(event: KeyboardEvent): void {
  const { target, key, defaultPrevented, ctrlKey, metaKey, altKey } = event
  if (defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
  const links = linksIn(document)
  if (target.matches('main [type=search]')) {
    if (key === 'ArrowDown') focus(event, links[0])
    // In one that is not empty, the browser empties it.
    else if (key === 'Escape' && (target as HTMLInputElement).value === '') target.blur()
  } else if (key === '/' && !target.matches('input, textarea, select')) {
    focus(event, document.querySelector<HTMLElement>('main [type=search]'))
  } else if (target.matches(`body, main, h1, h2, ${LINKS}`)) {
    // Elsewhere than on a row, Home and End scroll the page.
    if (!target.matches(LINKS) && !key.startsWith('Arrow')) return
    const next = links[targets[key]?.(positionIn(links, target), links.length - 1) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    if (links.some((link) => link.ariaCurrent === 'true')) next.click()
    else next.focus()
  }
}

function focus(event: KeyboardEvent, element: HTMLElement | null | undefined): void {
  event.preventDefault()
  element?.focus()
}

/** What is drawn may yet be what was open before the last key. */
function positionIn(links: readonly HTMLAnchorElement[], target: HTMLElement): number {
  const [open] = location.hash.split('?')
  const focused = links.indexOf(target as HTMLAnchorElement)
  return focused === -1 ? links.findIndex(({ hash }) => hash.split('?')[0] === open) : focused
}

const targets: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}
