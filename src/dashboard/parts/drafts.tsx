import { useLayoutEffect, useState } from 'preact/hooks'
import { sandboxHere } from '../world.js'

interface Draft {
  readonly text?: string
  readonly begunWith?: string
  readonly isSaved?: boolean
}

/** Keeps a text until it is saved or discarded, even when the page is reloaded. */
export function useDraft<T>(name: string, stored: T) {
  const key = `countersign:draft:${sandboxHere ?? ''} ${name}`
  const storedText = JSON.stringify(stored)
  const [kept, setKept] = useState(() => sessionStorage.getItem(key))
  const { text, begunWith, isSaved = false } = (kept === null ? {} : JSON.parse(kept)) as Draft
  useLayoutEffect(() => {
    if (isSaved) setKept(null)
  }, [storedText])
  const discard = () => {
    setKept(null)
    sessionStorage.removeItem(key)
  }
  /** What was saved stays in view until it has been fetched. */
  const saved = () => {
    discard()
    setKept(JSON.stringify({ text, isSaved: true }))
  }
  const set = (value: T) => {
    const written = JSON.stringify(value)
    if (written === storedText) return discard()
    const draft = JSON.stringify({ text: written, begunWith: begunWith ?? (isSaved ? text : storedText) })
    setKept(draft)
    sessionStorage.setItem(key, draft)
  }
  return {
    value: text === undefined ? stored : (JSON.parse(text) as T),
    isDraft: text !== undefined && !isSaved,
    /** The stored value has changed since the draft was begun. */
    isOutrun: begunWith !== undefined && begunWith !== storedText,
    set,
    discard,
    saved,
  }
}

type Note = Pick<ReturnType<typeof useDraft>, 'isDraft' | 'isOutrun' | 'discard'>

export function DraftNote({ isDraft, isOutrun, discard }: Note) {
  if (!isDraft) return null
  return (
    <p class="draft-note" role={isOutrun ? 'alert' : undefined}>
      Unsaved draft. {isOutrun && 'The stored version was changed or deleted: saving overwrites it. '}
      <button type="button" class="small" onClick={discard}>
        Discard
      </button>
    </p>
  )
}
