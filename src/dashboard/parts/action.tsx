import { useAct } from './act.js'
import { confirm } from './confirm.js'
import { Problem } from './problem.js'

interface Props {
  readonly call: () => Promise<unknown>
  /** What the button says. */
  readonly children: string
  /** What is asked first, where it cannot be undone. */
  readonly ask?: string
  /** How it looks: `go` for the main one, `danger` for what takes something away. */
  readonly kind?: 'go' | 'danger'
}

/** A button that calls the server, and says so where that fails. */
export function Action({ call, ask, kind, children }: Props) {
  const { run, busy, failure } = useAct()
  const act = async () => {
    if (ask === undefined || (await confirm(ask, children))) await run(call)
  }
  return (
    <>
      <button type="button" class={kind} aria-busy={busy} onClick={act}>
        {children}
      </button>
      <Problem failure={failure} />
    </>
  )
}
