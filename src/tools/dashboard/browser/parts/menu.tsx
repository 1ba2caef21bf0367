import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface MenuProps {
  readonly label: ComponentChildren
  readonly title: string
  readonly class?: string
  readonly children: () => ComponentChildren
}

/** A button with a list below it, which Escape, a click elsewhere or another view closes. */
export function Menu({ label, title, class: kind = '', children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!open) return
    const end = new AbortController()
    const { signal } = end
    const close = () => setOpen(false)
    const closeOutside = ({ target }: Event) => menu.current?.contains(target as Node) || close()
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      close()
      menu.current?.querySelector('button')?.focus()
    }
    addEventListener('pointerdown', closeOutside, { signal })
    addEventListener('focusin', closeOutside, { signal })
    addEventListener('keydown', closeOnEscape, { signal, capture: true })
    addEventListener('hashchange', close, { signal })
    return () => end.abort()
  }, [open])
  return (
    <div class={`menu ${kind}`} ref={menu}>
      <button type="button" title={title} aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
      </button>
      {open && <div class="menu-list">{children()}</div>}
    </div>
  )
}
