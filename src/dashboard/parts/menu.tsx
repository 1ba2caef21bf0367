import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  readonly label: ComponentChildren
  /** What the button is about, where what it shows does not tell. */
  readonly title: string
  readonly class: string
  /** What opens below the button; drawn only while it is open. */
  readonly children: () => ComponentChildren
}

/** A button that opens something below it, until Escape, a click elsewhere or a way to another view closes it. */
export function Menu({ label, title, class: kind, children }: Props) {
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const stop = new AbortController()
    const { signal } = stop
    const close = () => setOpen(false)
    const outside = ({ target }: Event) => menu.current?.contains(target as Node) || close()
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      close()
      button.current?.focus()
    }
    addEventListener('pointerdown', outside, { signal })
    addEventListener('focusin', outside, { signal })
    addEventListener('keydown', closeOnEscape, { signal, capture: true })
    addEventListener('hashchange', close, { signal })
    return () => stop.abort()
  }, [open])
  return (
    <div class={`menu ${kind}`} ref={menu}>
      <button type="button" ref={button} title={title} aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
      </button>
      {open && <div class="menu-list">{children()}</div>}
    </div>
  )
}
