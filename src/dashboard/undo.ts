import { call } from './api.js'

/** Milliseconds for which something can be undone; the server keeps it as long. */
const OFFERED = 10_000

/** What was done last, and what undoes it. */
export interface Offer {
  /** Such as `5 exchanges cleared`. */
  readonly done: string
  readonly undo: () => Promise<unknown>
}

/** The parts of a world that a checkpoint keeps. */
type Part = 'scenarios' | 'mail' | 'state' | 'clock' | 'journal'

let offer: Offer | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<(offer: Offer | undefined) => void>()

/** Calls back with each offer, and with none when its time is over; returns what ends that. */
export function onOffer(listener: (offer: Offer | undefined) => void): () => void {
  listeners.add(listener)
  listener(offer)
  return () => void listeners.delete(listener)
}

/** Offers for ten seconds to undo what was done. */
export function offerUndo(made: Offer | undefined): void {
  clearTimeout(timer)
  offer = made
  if (made !== undefined) timer = setTimeout(() => offerUndo(undefined), OFFERED)
  for (const listener of [...listeners]) listener(offer)
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
