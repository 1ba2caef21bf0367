import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

const LINKS = '.rows > li > a, .records th > a'

/** Makes a list of rows one tab stop, and scrolls to the open row. */
export function useRows<E extends HTMLElement>(open: string | undefined, count: number): RefObject<E | null> {
  const list = useRef<E>(null)
  useLayoutEffect(() => {
    const links = linksIn(list.current)
    setTabStop(links, links.find((link) => link === document.activeElement) ?? links.find(isOpen) ?? links[0])
  })
  useEffect(() => {
    let frame = 0
    const show = (left: number) => {
      list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' })
      // The rows around it get their heights as a frame first draws them, which may move it out of sight.
      if (left > 0) frame = requestAnimationFrame(() => show(left - 1))
    }
    show(10)
    return () => cancelAnimationFrame(frame)
  }, [open, count > 0])
  return list
}

/** Arrow keys, Home and End move among the rows, and open the next one if one is open. `/` goes to the search. */
export function moveByKeys(event: KeyboardEvent): void {
  const { target, key, defaultPrevented, ctrlKey, metaKey, altKey } = event
  if (defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
  const search = document.querySelector<HTMLInputElement>('main [type=search]')
  const links = linksIn(document)
  const goTo = (element: HTMLElement | null | undefined) => {
    if (!element) return
    event.preventDefault()
    if (element !== search && links.some(isOpen)) element.click()
    else element.focus()
    if (element !== search) setTabStop(links, element)
  }
  if (target === search) {
    if (key === 'ArrowDown') goTo(links[0])
    else if (key === 'Escape' && search.value === '') search.blur()
  } else if (key === '/' && !target.matches('input, textarea, select, .editor')) {
    goTo(search)
  } else if (target.matches(LINKS) || (key.startsWith('Arrow') && target.matches('body, main, h1, h2'))) {
    goTo(links[nextPositions[key]?.(positionIn(links, target), links.length - 1) ?? -1])
  }
}

const nextPositions: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** The list may not be redrawn yet after the last key. */
function positionIn(links: readonly HTMLAnchorElement[], target: HTMLElement): number {
  const [open] = location.hash.split('?')
  const focused = links.indexOf(target as HTMLAnchorElement)
  return focused === -1 ? links.findIndex(({ hash }) => hash.split('?')[0] === open) : focused
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
