import { useEffect, useState } from 'preact/hooks'
import { type Offer, offerUndo, onOffer } from '../undo.js'
import { useAct } from './act.js'
import { Problem } from './problem.js'

/** What was taken away last, with a button that puts it back, for ten seconds. */
export function UndoBar() {
  const [offer, setOffer] = useState<Offer>()
  const { run, busy, failure, forget } = useAct()
  useEffect(
    () =>
      onOffer((made) => {
        setOffer(made)
        if (made !== undefined) forget()
      }),
    [],
  )
  const undo = async () => {
    if (offer !== undefined && (await run(offer.undo))) offerUndo(undefined)
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
