import { useLayoutEffect, useState } from 'preact/hooks'
import { currentSandbox } from '../page.js'
import { Action, Button } from './controls.js'

interface Draft {
  readonly text: string
  readonly basedOn: string
  readonly isSaved?: boolean
}

/** Keeps a draft across reloads until it is saved or discarded. */
export function useDraft<T>(name: string, stored: T) {
  const key = `countersign:draft:${currentSandbox ?? ''} ${name}`
  const storedText = JSON.stringify(stored)
  const [draft, setDraft] = useState<Draft | null>(() => JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  const isDraft = draft !== null && !draft.isSaved
  const showStored = () => setDraft((current) => (current?.isSaved ? null : current))
  useLayoutEffect(showStored, [storedText])
  const keep = (current: Draft | null) => {
    setDraft(current)
    if (current === null || current.isSaved) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(current))
  }
  const set = (value: T) => {
    const text = JSON.stringify(value)
    keep(text === storedText ? null : { text, basedOn: draft?.basedOn ?? storedText })
  }
  return {
    value: draft === null ? stored : (JSON.parse(draft.text) as T),
    isDraft,
    /** The stored value changed after the draft was begun. */
    isOutdated: isDraft && draft.basedOn !== storedText,
    set,
    discard: () => keep(null),
    /** Shows the saved value until it has been fetched. */
    markSaved: () => keep(draft && { text: draft.text, basedOn: draft.text, isSaved: true }),
    /** Shows the stored value, unless there is a draft. */
    showStored,
  }
}

interface DraftNoteProps extends Pick<ReturnType<typeof useDraft>, 'isDraft' | 'isOutdated' | 'discard'> {
  /** Saving keeps the changes of others. */
  readonly keepsOtherChanges?: boolean
}

export function DraftNote({ isDraft, isOutdated, discard, keepsOtherChanges = false }: DraftNoteProps) {
  if (!isDraft) return null
  return (
    <p class="note" role={isOutdated ? 'alert' : undefined}>
      Unsaved draft.{' '}
      {isOutdated && `The stored version was changed or deleted${keepsOtherChanges ? '' : ': saving overwrites it'}. `}
      <Button class="small" label="Discard" act={discard} />
    </p>
  )
}

const OFFER_MS = 10_000

interface Offer {
  readonly message: string
  readonly undo: () => Promise<unknown>
}

/** Set by `UndoBar`, which shows the latest offer. */
export let offerUndo: (offer: Offer) => void = () => {}

export function UndoBar() {
  const [offers, setOffers] = useState<readonly Offer[]>([])
  const withdraw = (offer: Offer) => setOffers((current) => current.filter((one) => one !== offer))
  offerUndo = (offer) => {
    setOffers((current) => [...current, offer])
    setTimeout(() => withdraw(offer), OFFER_MS)
  }
  const offer = offers.at(-1)
  return (
    <div role="status">
      {offer && (
        <p key={offers.length} class="undo">
          <bdi>{offer.message}</bdi>{' '}
          <Action class="small" label="Undo" call={() => offer.undo().then(() => withdraw(offer))} />
        </p>
      )}
    </div>
  )
}
