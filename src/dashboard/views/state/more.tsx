import { useEffect, useRef } from 'preact/hooks'
import { counted } from '../../parts/marks.js'

/** Rows that are drawn at once; then the next ones take their place. */
export const PAGE = 300

/** Draws more as soon as it is seen; by hand where it is not. */
export function More({ left, show }: { readonly left: number; readonly show: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && show())
    if (button.current !== null) observer.observe(button.current)
    return () => observer.disconnect()
  })
  return (
    <p>
      <button type="button" ref={button} onClick={show}>
        Show more
      </button>{' '}
      <span class="quiet">{counted(left, 'record')} more</span>
    </p>
  )
}

interface PagesProps {
  /** The first record that is drawn. */
  readonly from: number
  readonly of: number
  readonly turn: (from: number) => void
}

/** Leads to the records before and after those that are drawn. */
export function Pages({ from, of, turn }: PagesProps) {
  return (
    <p class="buttons">
      <button type="button" disabled={from === 0} onClick={() => turn(from - PAGE)}>
        Previous
      </button>
      <button type="button" disabled={from + PAGE >= of} onClick={() => turn(from + PAGE)}>
        Next
      </button>
      <span class="quiet" role="status">
        {`${(from + 1).toLocaleString()} to ${Math.min(from + PAGE, of).toLocaleString()} of ${of.toLocaleString()}`}
      </span>
    </p>
  )
}
