/** Milliseconds for which something can be undone. */
const OFFERED = 10_000

/** Offers at once. */
const MOST = 4

/** What was done, and what undoes it. */
export interface Offer {
  /** Such as `organizations/1 deleted`. */
  readonly done: string
  readonly undo: () => Promise<unknown>
}

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
