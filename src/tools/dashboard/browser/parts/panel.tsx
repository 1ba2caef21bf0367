import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface PanelProps {
  readonly title: ComponentChildren
  /** The focus moves to the heading when this changes, unless somebody types in a search. */
  readonly of: string
  readonly back: string
  readonly children: ComponentChildren
}

export function Panel({ title, of, back, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const [opened = ''] = location.hash.split('?')
    const heading = panel.current?.querySelector('h2')
    if (!document.activeElement?.matches('[type=search]')) heading?.focus({ preventScroll: true })
    panel.current?.scrollTo({ top: 0 })
    // In place of the list, the page itself scrolls.
    if ((heading?.getBoundingClientRect().top ?? 0) < 0) scrollTo({ top: 0 })
    return () => requestAnimationFrame(() => returnTo(opened))
  }, [of])
  useLayoutEffect(() => {
    const closeOnEscape = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      // Escape has another meaning in fields and dialogs.
      const isElsewhere = target instanceof Element && target.closest('input, textarea, select, dialog, .editor')
      if (key === 'Escape' && !defaultPrevented && !isElsewhere) location.hash = back
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
      {children}
    </section>
  )
}

export function GonePanel({ children, ...props }: PanelProps) {
  return (
    <Panel {...props}>
      <p class="nothing" role="status">
        {children} <a href={props.back}>Back to the list</a>
      </p>
    </Panel>
  )
}

/** Returns the focus to the link that opened the panel, unless another element has it. */
function returnTo(hash: string): void {
  if (document.activeElement !== document.body) return
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')]
  const opener = links.find((link) => link.hash === hash) ?? document.querySelector('h1')
  opener?.focus()
}
