import { useLayoutEffect, useState } from 'preact/hooks'
import { sandboxHere } from '../sandbox.js'

interface Draft {
  readonly text?: string | undefined
  readonly begunWith?: string
  readonly isSaved?: boolean
}

/** Keeps a text until it is saved or discarded, even when the page is reloaded. */
export function useDraft<T>(name: string, stored: T) {
  const key = `countersign:draft:${sandboxHere ?? ''} ${name}`
  const storedText = JSON.stringify(stored)
  const [draft, setDraft] = useState<Draft>(() => JSON.parse(sessionStorage.getItem(key) ?? '{}'))
  const { text, begunWith, isSaved } = draft
  /** Shows what is stored again, unless a draft was begun. */
  const settle = () => setDraft((now) => (now.isSaved ? {} : now))
  useLayoutEffect(settle, [storedText])
  const discard = () => {
    setDraft({})
    sessionStorage.removeItem(key)
  }
  /** What was saved stays in view until it has been fetched. */
  const saved = () => {
    discard()
    setDraft({ text, isSaved: true })
  }
  const set = (value: T) => {
    const written = JSON.stringify(value)
    if (written === storedText) return discard()
    const begun = { text: written, begunWith: begunWith ?? (isSaved ? text : storedText) }
    setDraft(begun)
    sessionStorage.setItem(key, JSON.stringify(begun))
  }
  return {
    value: text === undefined ? stored : (JSON.parse(text) as T),
    isDraft: text !== undefined && !isSaved,
    /** The stored value has changed since the draft was begun. */
    isOutrun: begunWith !== undefined && begunWith !== storedText,
    set,
    discard,
    saved,
    settle,
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
