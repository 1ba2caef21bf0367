import { useEffect, useState } from 'preact/hooks'
import { jsonOr } from '../../../../engine/contract/json.js'
import type { Message } from '../../../../engine/sandbox/mail/outbox.js'
import { useAdminQuery } from '../admin-query.js'
import { sandboxHere } from '../sandbox.js'

type MessageKey = Pick<Message, 'id' | 'created_at'>

const KEY = `countersign:read:${sandboxHere ?? ''}`

/** After a reset, mails have the same ids again. */
const keyOf = ({ id, created_at }: MessageKey) => `${id} ${created_at}`

export function useUnread(): number {
  const { data } = useAdminQuery<{ messages: readonly MessageKey[] }>('outbox?format=summary', ['mail'])
  const isRead = useIsRead()
  return data?.messages.filter((one) => !isRead(one)).length ?? 0
}

export function useIsRead(): (mail: MessageKey) => boolean {
  const [keys, setKeys] = useState(readKeys)
  useEffect(() => {
    const changed = () => setKeys(readKeys())
    addEventListener('storage', changed)
    return () => removeEventListener('storage', changed)
  }, [])
  return (mail) => keys.includes(keyOf(mail))
}

export function markRead(mail: MessageKey, all: readonly MessageKey[]): void {
  const keys = readKeys()
  if (keys.includes(keyOf(mail))) return
  localStorage.setItem(KEY, JSON.stringify([...all.map(keyOf).filter((key) => keys.includes(key)), keyOf(mail)]))
  // The browser tells only other pages.
  dispatchEvent(new Event('storage'))
}

function readKeys(): readonly string[] {
  return jsonOr(localStorage.getItem(KEY) ?? '', []) as string[]
}
