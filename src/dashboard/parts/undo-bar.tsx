import { useEffect, useState } from 'preact/hooks'
import { type Offer, onOffers, withdraw } from '../undo.js'
import { useAct } from './act.js'
import { Problem } from './problem.js'

/** What was taken away last, with a button that puts it back, for ten seconds; then what was taken away before. */
export function UndoBar() {
  const [offers, setOffers] = useState<readonly Offer[]>([])
  const { run, busy, failure, forget } = useAct()
  useEffect(
    () =>
      onOffers((now) => {
        setOffers(now)
        if (now.length > 0) forget()
      }),
    [],
  )
  const offer = offers.at(-1)
  const undo = async () => {
    if (offer !== undefined && (await run(offer.undo))) withdraw(offer)
  }
  return (
    <div class="undo-bar" role="status">
      {offer && (
        <p>
          <bdi>{offer.done}</bdi>
          <button type="button" class="small" aria-busy={busy} onClick={undo}>
            Undo
          </button>
        </p>
      )}
      <Problem failure={failure} />
    </div>
  )
}
