import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Live } from './live.js'

/** Gives every part the server's events. */
export const LiveContext = createContext<Live | undefined>(undefined)

export function useLive(): Live {
  const live = useContext(LiveContext)
  if (live === undefined) throw new Error('This component is used outside the dashboard.')
  return live
}
