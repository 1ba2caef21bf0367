import type { ComponentChildren } from 'preact'
import { useAct } from './act.js'
import { Problem } from './problem.js'

interface Props {
  readonly call: () => Promise<unknown>
  readonly children: ComponentChildren
  /** How it looks: `go` for the main one, `danger` for what cannot be undone. */
  readonly kind?: 'go' | 'danger'
}

/** A button that calls the server, and says so where that fails. */
export function Action({ call, kind, children }: Props) {
  const { run, busy, failure } = useAct()
  return (
    <>
      <button type="button" class={kind} aria-busy={busy} onClick={() => run(call)}>
        {children}
      </button>
      <Problem failure={failure} />
    </>
  )
}
