import { useEffect, useState } from 'preact/hooks'
import { Action } from './controls.js'

const OFFERED = 10_000
const EVENT = 'countersign:undo'

interface Offer {
  readonly done: string
  readonly undo: () => Promise<unknown>
}

export function offerUndo(offer: Offer): void {
  dispatchEvent(new CustomEvent(EVENT, { detail: offer }))
}

/** Offers to undo the last deletion, then the one before. */
export function UndoBar() {
  const [offers, setOffers] = useState<readonly Offer[]>([])
  const withdraw = (offer: Offer) => setOffers((now) => now.filter((one) => one !== offer))
  useEffect(() => {
    const onOffer = (event: Event) => {
      const offer: Offer = (event as CustomEvent).detail
      setOffers((now) => [...now, offer])
      setTimeout(() => withdraw(offer), OFFERED)
    }
    addEventListener(EVENT, onOffer)
    return () => removeEventListener(EVENT, onOffer)
  }, [])
  const offer = offers.at(-1)
  return (
    <div class="undo-bar" role="status">
      {offer && (
        <p key={offers.length} class="row">
          <bdi>{offer.done}</bdi>
          <Action class="small" call={() => offer.undo().then(() => withdraw(offer))}>
            Undo
          </Action>
        </p>
      )}
    </div>
  )
}
