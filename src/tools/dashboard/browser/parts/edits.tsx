import { useLayoutEffect, useState } from 'preact/hooks'
import { currentSandbox } from '../page.js'
import { Action, Button } from './controls.js'

interface Draft {
  readonly text: string
  readonly begunWith: string
  readonly isSaved?: boolean
}

/** Keeps a draft across reloads until it is saved or discarded. */
export function useDraft<T>(name: string, stored: T) {
  const key = `countersign:draft:${currentSandbox ?? ''} ${name}`
  const storedText = JSON.stringify(stored)
  const [draft, setDraft] = useState<Draft | null>(() => JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  const isDraft = draft !== null && !draft.isSaved
  const settle = () => setDraft((now) => (now?.isSaved ? null : now))
  useLayoutEffect(settle, [storedText])
  const keep = (now: Draft | null) => {
    setDraft(now)
    if (now === null || now.isSaved) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(now))
  }
  const set = (value: T) => {
    const text = JSON.stringify(value)
    keep(text === storedText ? null : { text, begunWith: draft?.begunWith ?? storedText })
  }
  return {
    value: draft === null ? stored : (JSON.parse(draft.text) as T),
    isDraft,
    /** The stored value changed after the draft was begun. */
    isOutrun: isDraft && draft.begunWith !== storedText,
    set,
    discard: () => keep(null),
    /** Shows the saved value until it has been fetched. */
    saved: () => keep(draft && { text: draft.text, begunWith: draft.text, isSaved: true }),
    /** Shows the stored value, unless there is a draft. */
    settle,
  }
}

interface Note extends Pick<ReturnType<typeof useDraft>, 'isDraft' | 'isOutrun' | 'discard'> {
  /** Saving keeps the changes of others. */
  readonly isKept?: boolean
}

export function DraftNote({ isDraft, isOutrun, discard, isKept = false }: Note) {
  if (!isDraft) return null
  return (
    <p class="note" role={isOutrun ? 'alert' : undefined}>
      Unsaved draft.{' '}
      {isOutrun && `The stored version was changed or deleted${isKept ? '' : ': saving overwrites it'}. `}
      <Button class="small" label="Discard" act={discard} />
    </p>
  )
}

/** Milliseconds. */
const OFFERED = 10_000

interface Offer {
  readonly done: string
  readonly undo: () => Promise<unknown>
}

/** Offers to undo the last action, then the one before. */
export let offerUndo: (offer: Offer) => void = () => {}

export function UndoBar() {
  const [offers, setOffers] = useState<readonly Offer[]>([])
  const withdraw = (offer: Offer) => setOffers((now) => now.filter((one) => one !== offer))
  offerUndo = (offer) => {
    setOffers((now) => [...now, offer])
    setTimeout(() => withdraw(offer), OFFERED)
  }
  const offer = offers.at(-1)
  return (
    <div role="status">
      {offer && (
        <p key={offers.length} class="undo">
          <bdi>{offer.done}</bdi>{' '}
          <Action class="small" label="Undo" call={() => offer.undo().then(() => withdraw(offer))} />
        </p>
      )}
    </div>
  )
}
