import { useLayoutEffect, useState } from 'preact/hooks'
import { sandboxHere } from '../page.js'
import { Action, Button } from './controls.js'

/** Keeps a draft across reloads until it is saved or discarded. */
export function useDraft<T>(name: string, stored: T) {
  const key = `countersign:draft:${sandboxHere ?? ''} ${name}`
  const storedText = JSON.stringify(stored)
  const [draft, setDraft] = useState<{ text?: string; begunWith?: string; isSaved?: boolean }>(() =>
    JSON.parse(sessionStorage.getItem(key) ?? '{}'),
  )
  const { text, begunWith, isSaved = false } = draft
  const settle = () => setDraft((now) => (now.isSaved ? { isSaved: true } : now))
  useLayoutEffect(settle, [storedText])
  const discard = () => {
    setDraft({})
    sessionStorage.removeItem(key)
  }
  const set = (value: T) => {
    const written = JSON.stringify(value)
    if (written === storedText) return discard()
    const begun = { text: written, begunWith: begunWith ?? (isSaved && text ? text : storedText) }
    setDraft(begun)
    sessionStorage.setItem(key, JSON.stringify(begun))
  }
  return {
    value: text === undefined ? stored : (JSON.parse(text) as T),
    isDraft: text !== undefined && !isSaved,
    isSaved,
    /** The stored value changed after the draft was begun. */
    isOutrun: begunWith !== undefined && begunWith !== storedText,
    set,
    discard,
    /** Shows the saved value until it has been fetched. */
    saved: () => {
      discard()
      setDraft({ text, isSaved: true })
    },
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
