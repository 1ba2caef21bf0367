/** In a list of links, the arrow keys, Home and End move from one to another; where one is open, the next one opens. */
export function moveByArrows(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement
  const links = linksOf(list)
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  if (at !== -1) move(event, links, at)
}

/** The same with the focus outside the list; `/` goes to the search. */
export function moveFromAnywhere(event: KeyboardEvent): void {
  const { target, key, defaultPrevented, ctrlKey, metaKey, altKey } = event
  if (defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
  if (target.matches('input, textarea, select')) return leave(target, key)
  if (key === '/') {
    event.preventDefault()
    document.querySelector<HTMLElement>('main [type=search]')?.focus()
  } else if (target.matches('body, main, h1, h2')) {
    const list = document.querySelector<HTMLElement>('main .rows')
    if (list === null || (key !== 'ArrowDown' && key !== 'ArrowUp')) return
    const links = linksOf(list)
    // What is drawn may yet be what was open before the last key.
    const [open] = location.hash.split('?')
    const at = links.findIndex(({ hash }) => hash === open)
    move(event, links, at)
  }
}

/** Escape leaves a search that is empty; in one that is not, the browser empties it. */
function leave(field: HTMLElement, key: string): void {
  if (key === 'Escape' && field instanceof HTMLInputElement && field.type === 'search' && field.value === '')
    field.blur()
}

function move(event: KeyboardEvent, links: readonly HTMLAnchorElement[], at: number): void {
  const next = links[targets[event.key]?.(at, links.length - 1) ?? -1]
  if (next === undefined) return
  event.preventDefault()
  if (links.some((link) => link.ariaCurrent === 'true')) next.click()
  else next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

function linksOf(list: HTMLElement): HTMLAnchorElement[] {
  return Array.from(list.querySelectorAll<HTMLAnchorElement>(':scope > li > a'))
}

const targets: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}
