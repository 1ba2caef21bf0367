import { jsonOr } from '../../../engine/contract/json.js'
import type { Message } from '../../../engine/sandbox/mail/outbox.js'
import { useAdminQuery } from './admin.js'
import { sandboxHere } from './page.js'
import { useStored } from './parts/stored.js'

type MessageKey = Pick<Message, 'id' | 'created_at'>

/** Ids begin anew after a reset. */
const keyOf = ({ id, created_at }: MessageKey) => `${id} ${created_at}`

export function useUnread(): number {
  const { data } = useAdminQuery<{ messages: readonly MessageKey[] }>('outbox?format=summary', ['mail'])
  const [isRead] = useRead()
  return data?.messages.filter((one) => !isRead(one)).length ?? 0
}

/** Keeps the marks of existing mails (`all`). */
export function useRead() {
  const [stored, store] = useStored(`countersign:read:${sandboxHere ?? ''}`)
  const keys = jsonOr(stored, []) as string[]
  const isRead = (mail: MessageKey) => keys.includes(keyOf(mail))
  const markRead = (mail: MessageKey, all: readonly MessageKey[]) => {
    if (!isRead(mail)) store(JSON.stringify([...all.filter(isRead), mail].map(keyOf)))
  }
  return [isRead, markRead] as const
}
