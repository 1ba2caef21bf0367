import { useState } from 'preact/hooks'
import { sandboxHere } from '../world.js'

/** Keeps a text until it is saved or discarded, even when the page is reloaded. */
export function useDraft<T>(name: string, stored: T) {
  const key = `countersign:draft:${sandboxHere ?? ''} ${name}`
  const storedText = JSON.stringify(stored)
  const [kept, setKept] = useState(() => sessionStorage.getItem(key))
  const { text, begunWith } = (kept === null ? {} : JSON.parse(kept)) as { text?: string; begunWith?: string }
  const discard = () => {
    setKept(null)
    sessionStorage.removeItem(key)
  }
  const set = (value: T) => {
    const written = JSON.stringify(value)
    if (written === storedText) return discard()
    const draft = JSON.stringify({ text: written, begunWith: begunWith ?? storedText })
    setKept(draft)
    sessionStorage.setItem(key, draft)
  }
  return {
    value: text === undefined ? stored : (JSON.parse(text) as T),
    isDraft: text !== undefined,
    /** The stored value has changed since the draft was begun. */
    isOutrun: begunWith !== undefined && begunWith !== storedText,
    set,
    discard,
  }
}

export function DraftNote({ isDraft, isOutrun, discard }: Omit<ReturnType<typeof useDraft>, 'value' | 'set'>) {
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
