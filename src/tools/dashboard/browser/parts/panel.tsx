import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ExchangeEntry } from '../../../../engine/journal/entry.js'
import { useAdminQuery } from '../admin.js'
import { linkTo } from '../page.js'
import { reveal } from './texts.js'

interface PanelProps {
  readonly title: ComponentChildren
  /** A change moves the focus to the heading, except from a search. */
  readonly focusKey: string
  readonly back: string
  readonly missing?: string
  readonly children?: ComponentChildren
}

export function Panel({ title, focusKey, back, missing, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const [opened = ''] = location.hash.split('?')
    const heading = panel.current?.querySelector('h2')
    if (!document.activeElement?.matches('[type=search]')) heading?.focus({ preventScroll: true })
    panel.current?.scrollTo({ top: 0 })
    // On phones, the page scrolls.
    if ((heading?.getBoundingClientRect().top ?? 0) < 0) scrollTo({ top: 0 })
    return () => requestAnimationFrame(() => focusOpener(opened))
  }, [focusKey])
  useLayoutEffect(() => {
    const closeOnEscape = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      // Escape has another meaning in fields, dialogs and menus.
      const ownEscape = 'input, textarea, select, dialog, .editor'
      if (key !== 'Escape' || defaultPrevented || document.querySelector(':popover-open')) return
      if (!(target instanceof Element && target.closest(ownEscape))) location.hash = back
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [back])
  return (
    <section class="panel" ref={panel} aria-labelledby="panel-title">
      <header>
        <h2 id="panel-title" tabIndex={-1}>
          {title}
        </h2>
        <a class="button small" href={back}>
          Close
        </a>
      </header>
      {missing !== undefined && (
        <p class="nothing" role="status">
          {reveal(missing)} <a href={back}>Back to the list</a>
        </p>
      )}
      {children}
    </section>
  )
}

/** Focuses the link that opened the panel, unless another element has the focus. */
function focusOpener(hash: string): void {
  if (document.activeElement !== document.body) return
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')]
  const opener = links.find((link) => link.hash === hash) ?? document.querySelector('h1')
  opener?.focus()
}

export function CausingRequest({ search, isCause }: { search: string; isCause: (exchange: ExchangeEntry) => boolean }) {
  const path = `requests?limit=50&search=${encodeURIComponent(search)}`
  const { data } = useAdminQuery<{ requests: readonly ExchangeEntry[] }>(path, ['exchanges', 'journal'])
  const exchange = data?.requests.find(isCause)
  return (
    exchange && (
      <span>
        by request <a href={linkTo('requests', exchange.id)}>{exchange.id}</a>
      </span>
    )
  )
}
