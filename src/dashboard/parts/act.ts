import { useState } from 'preact/hooks'
import { Failure } from '../api.js'

/** A call that a button or a form makes. */
export interface Act {
  /** Runs it, unless one is under way; resolves with whether it succeeded. */
  readonly run: (call: () => Promise<unknown>) => Promise<boolean>
  readonly busy: boolean
  /** Why the last one failed. */
  readonly failure: Failure | undefined
  readonly forget: () => void
}

/** Keeps what became of the last call, to be shown where it was made. */
export function useAct(): Act {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const run = async (call: () => Promise<unknown>) => {
    if (busy) return false
    setBusy(true)
    setFailure(undefined)
    try {
      await call()
      return true
    } catch (error) {
      setFailure(error instanceof Failure ? error : new Failure(String(error)))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { run, busy, failure, forget: () => setFailure(undefined) }
}
