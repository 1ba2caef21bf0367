import { call } from './api.js'

/** Milliseconds for which something can be undone; the server keeps it as long. */
const OFFERED = 10_000

/** Offers at once: the server keeps no more checkpoints. */
const MOST = 4

/** What was done, and what undoes it. */
export interface Offer {
  /** Such as `5 exchanges cleared`. */
  readonly done: string
  readonly undo: () => Promise<unknown>
}

/** The parts of a world that a checkpoint keeps. */
type Part = 'scenarios' | 'mail' | 'state' | 'clock' | 'journal'

let offers: readonly Offer[] = []
const listeners = new Set<(offers: readonly Offer[]) => void>()

/** Calls back with all that can be undone, each time that it is something else; returns what ends that. */
export function onOffers(listener: (offers: readonly Offer[]) => void): () => void {
  listeners.add(listener)
  listener(offers)
  return () => void listeners.delete(listener)
}

/** Offers for ten seconds to undo what was done. */
export function offerUndo(made: Offer): void {
  offer([...offers, made].slice(-MOST))
  setTimeout(() => withdraw(made), OFFERED)
}

/** Ends an offer before its time. */
export function withdraw(made: Offer): void {
  offer(offers.filter((one) => one !== made))
}

function offer(now: readonly Offer[]): void {
  offers = now
  for (const listener of [...listeners]) listener(offers)
}

/**
 * Makes a call that takes something away, and offers to put it back; `admin` is that of the world, and parts that are not
 * named are all of it.
 */
export async function undoable(
  done: string,
  act: () => Promise<unknown>,
  { admin = '', of }: { readonly admin?: string; readonly of?: readonly Part[] } = {},
): Promise<void> {
  const { id } = await call<{ id: string }>(`${admin}checkpoints`, { method: 'POST', body: { of } })
  await act()
  offerUndo({ done, undo: () => call(`checkpoints/${id}/restore`, { method: 'POST' }) })
}
