import { useState } from 'preact/hooks'
import { sandboxHere } from './world.js'

/** Drafts of every world that are kept; the oldest goes first. */
const MOST = 20
/** Where they are kept, so that they outlive a reload: the oldest first, each with what was stored when it was begun. */
const KEY = 'countersign:drafts'

type Kept = readonly (readonly [name: string, text: string, begunWith: string])[]

/** What somebody has written and not saved. */
export interface Draft<T> {
  /** What was written, or what is stored where nothing was. */
  readonly value: T
  readonly isDraft: boolean
  /** Whether what is stored has become another since the draft was begun. */
  readonly isOutrun: boolean
  readonly set: (value: T) => void
  readonly discard: () => void
}

/** Keeps what is written under a name until it is saved or discarded, through reloads and ways elsewhere. */
export function useDraft<T>(name: string, stored: T): Draft<T> {
  const whole = `${sandboxHere ?? ''} ${name}`
  const [kept, setKept] = useState(() => readKept().find(([one]) => one === whole))
  const [, text, begunWith] = kept ?? []
  const storedText = JSON.stringify(stored)
  const put = (written: string | undefined) => {
    const others = readKept().filter(([one]) => one !== whole)
    const own = written === undefined ? undefined : ([whole, written, begunWith ?? storedText] as const)
    keep(own === undefined ? others : [...others, own].slice(-MOST))
    setKept(own)
  }
  return {
    value: text === undefined ? stored : JSON.parse(text),
    isDraft: text !== undefined,
    isOutrun: begunWith !== undefined && begunWith !== storedText,
    set: (value) => {
      const written = JSON.stringify(value)
      put(written === storedText ? undefined : written)
    },
    discard: () => put(undefined),
  }
}

function readKept(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]')
  } catch {
    return []
  }
}

function keep(drafts: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(drafts))
  } catch {
    // Without room, what is written stays as long as the page shows it.
  }
}
