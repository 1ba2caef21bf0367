import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly title: ComponentChildren
  /** What is open: the focus moves to the heading when this changes. */
  readonly of: string
  readonly back: string
  readonly children: ComponentChildren
}

/** What was opened, beside its list or, where there is no room, in its place. */
export function Panel({ title, of, back, children }: Props) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const [opened = ''] = location.hash.split('?')
    const heading = panel.current?.querySelector('h2')
    heading?.focus({ preventScroll: true })
    panel.current?.scrollTo(0, 0)
    // In place of the list, the page itself scrolls.
    if ((heading?.getBoundingClientRect().top ?? 0) < 0) scrollTo(0, 0)
    return () => requestAnimationFrame(() => returnTo(opened))
  }, [of])
  useEffect(() => {
    const closeOnEscape = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      // In a field, Escape belongs to the field; over a dialog, to the dialog.
      const isElsewhere = target instanceof Element && target.closest('input, textarea, select, dialog')
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

export function GonePanel({ children, ...props }: Props) {
  return (
    <Panel {...props}>
      <p class="nothing" role="status">
        {children} <a href={props.back}>Back to the list</a>
      </p>
    </Panel>
  )
}

/** When nothing else took the focus, it goes back to the link that opened the panel, or to the view. */
function returnTo(hash: string): void {
  if (document.activeElement !== document.body) return
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')]
  const opener = links.find((link) => link.hash === hash) ?? document.querySelector('h1')
  opener?.focus()
}
