import { useEffect, useState } from 'preact/hooks'
import { useAdminQuery } from '../admin-query.js'
import { sandboxHere } from '../world.js'

/** A mail, as far as it is known without its text. */
interface Head {
  readonly id: string
  readonly created_at: string
}

/** Where this browser keeps which mails of the world were read. */
const KEY = `countersign:read:${sandboxHere ?? ''}`
/** Says to the page that one was read. */
const READ = 'countersign:read'

/** After a reset, mails have the same ids again. */
const keyOf = ({ id, created_at }: Head) => `${id} ${created_at}`

/** How many mails nobody has read in this browser. */
export function useUnread(): number {
  const { data } = useAdminQuery<{ messages: readonly Head[] }>('outbox?format=summary', ['mail'])
  const read = useRead()
  return data?.messages.filter((one) => !read.has(keyOf(one))).length ?? 0
}

/** Which mails were read, by what `isRead` asks. */
export function useRead(): ReadonlySet<string> {
  const [read, set] = useState(readKept)
  useEffect(() => {
    const changed = () => set(readKept())
    addEventListener(READ, changed)
    addEventListener('storage', changed)
    return () => {
      removeEventListener(READ, changed)
      removeEventListener('storage', changed)
    }
  }, [])
  return read
}

export function isRead(read: ReadonlySet<string>, mail: Head): boolean {
  return read.has(keyOf(mail))
}

/** Keeps that a mail was read, among those that there still are. */
export function markRead(mail: Head, all: readonly Head[]): void {
  const read = readKept()
  if (read.has(keyOf(mail))) return
  const kept = [...all.map(keyOf).filter((key) => read.has(key)), keyOf(mail)]
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Without room it is unread again after the next reload.
  }
  dispatchEvent(new Event(READ))
}

function readKept(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  } catch {
    return new Set()
  }
}
