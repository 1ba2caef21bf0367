import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { linkTo } from '../address.js'

interface Props {
  readonly title: ComponentChildren
  /** What is open: the focus moves to the heading when this changes. */
  readonly of: string
  /** The address that closing leads to. */
  readonly back: readonly string[]
  readonly children: ComponentChildren
}

/** What was opened, beside its list or, where there is no room, in its place. */
export function Panel({ title, of, back, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const panel = useRef<HTMLElement>(null)
  const close = linkTo(...back)

  useEffect(() => {
    const [opened = ''] = location.hash.split('?')
    heading.current?.focus({ preventScroll: true })
    panel.current?.scrollTo(0, 0)
    // In place of the list, the page itself scrolls.
    if ((heading.current?.getBoundingClientRect().top ?? 0) < 0) scrollTo(0, 0)
    return () => requestAnimationFrame(() => returnTo(opened))
  }, [of])
  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isField(event.target)) return
      location.hash = close
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [close])

  return (
    <section class="panel" ref={panel} aria-labelledby="panel-title">
      <header>
        <h2 id="panel-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <a class="button small close" href={close}>
          Close
        </a>
      </header>
      {children}
    </section>
  )
}

/** Says in a panel that what was to be opened does not exist. */
export function Gone({ back, children }: { readonly back: readonly string[]; readonly children: ComponentChildren }) {
  return (
    <p class="nothing" role="status">
      {children} <a href={linkTo(...back)}>Back to the list</a>
    </p>
  )
}

/** When nothing else took the focus, it goes back to the link that opened the panel, or to the view. */
function returnTo(hash: string): void {
  if (document.activeElement !== document.body) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('main a')) {
    if (link.hash === hash) return link.focus()
  }
  document.querySelector('h1')?.focus()
}

/** In a field, Escape belongs to the field. */
function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select')
}
