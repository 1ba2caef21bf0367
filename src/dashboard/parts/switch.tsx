import { useAct } from './act.js'
import { Problem } from './problem.js'

interface Props {
  /** Its accessible name. */
  readonly name: string
  readonly on: boolean
  /** Asks the server; what the switch shows is what the server says afterwards. */
  readonly toggle: (on: boolean) => Promise<unknown>
}

/** A switch in the position that the server has. */
export function Switch({ name, on, toggle }: Props) {
  const { run, busy, failure } = useAct()
  return (
    <>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={on}
        aria-label={name}
        aria-busy={busy}
        onClick={() => run(() => toggle(!on))}
      >
        <span class="thumb" />
      </button>
      <Problem failure={failure} />
    </>
  )
}
