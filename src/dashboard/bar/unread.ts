import { useEffect, useState } from 'preact/hooks'
import { jsonOr } from '../../text/json.js'
import { useAdminQuery } from '../admin-query.js'
import { sandboxHere } from '../world.js'

interface Mail {
  readonly id: string
  readonly created_at: string
}

/** Where this browser keeps which mails of the sandbox were read. */
const KEY = `countersign:read:${sandboxHere ?? ''}`

/** After a reset, mails have the same ids again. */
const keyOf = ({ id, created_at }: Mail) => `${id} ${created_at}`

export function useUnread(): number {
  const { data } = useAdminQuery<{ messages: readonly Mail[] }>('outbox?format=summary', ['mail'])
  const isRead = useIsRead()
  return data?.messages.filter((one) => !isRead(one)).length ?? 0
}

export function useIsRead(): (mail: Mail) => boolean {
  const [keys, setKeys] = useState(readKeys)
  useEffect(() => {
    const changed = () => setKeys(readKeys())
    addEventListener('storage', changed)
    return () => removeEventListener('storage', changed)
  }, [])
  return (mail) => keys.includes(keyOf(mail))
}

/** Keeps that a mail was read, among those that there still are. */
export function markRead(mail: Mail, all: readonly Mail[]): void {
  const keys = readKeys()
  if (keys.includes(keyOf(mail))) return
  localStorage.setItem(KEY, JSON.stringify([...all.map(keyOf).filter((key) => keys.includes(key)), keyOf(mail)]))
  // The browser tells other pages only.
  dispatchEvent(new Event('storage'))
}

function readKeys(): readonly string[] {
  return jsonOr(localStorage.getItem(KEY) ?? '[]', []) as string[]
}
