/** In a list of links, the arrow keys, Home and End move from one to another. */
export function moveByArrows(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement
  const links = Array.from(list.querySelectorAll<HTMLElement>(':scope > li > a'))
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = targets[event.key]?.(at, links.length - 1)
  if (at === -1 || next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}

const targets: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}
