import { useEffect } from 'preact/hooks'
import type { Message } from '../../world/mail/outbox.js'
import { type Address, linkTo, useFilter } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { call } from '../api.js'
import { isRead, markRead, useRead } from '../bar/unread.js'
import { Action } from '../parts/action.js'
import { ListView } from '../parts/list-view.js'
import { Badge, counted, Line, Time } from '../parts/marks.js'
import type { InvitationView } from '../shapes.js'
import { MessagePanel } from './mail/message.js'

/** Mails drawn at once. */
const MOST = 200

/** The mails that this sandbox sent. */
export function Mail({ address: [open] }: { readonly address: Address }) {
  const outbox = useAdminQuery<{ messages: readonly Message[] }>('outbox', ['mail'])
  const invitations = useAdminQuery<{ invitations: readonly InvitationView[] }>('invitations', ['mail', 'state'])
  const [{ search }, set] = useFilter({ search: '' }, open)
  const messages = [...(outbox.data?.messages ?? [])].reverse()
  const found = messages.filter(({ to, from, subject, text }) =>
    [to, from, subject, text].join('\n').toLowerCase().includes(search.toLowerCase()),
  )
  const invitationOf = ({ links }: Message) =>
    invitations.data?.invitations.find(({ id }) => links.accept.includes(`/invitations/${id}`))
  const message = messages.find(({ id }) => id === open)
  const read = useRead()
  useEffect(() => {
    if (message !== undefined) markRead(message, messages)
  }, [message?.id, message?.created_at])
  const clear = () => call('outbox', { method: 'DELETE' }).then(outbox.refresh)
  return (
    <ListView
      title="Mail"
      open={open}
      kind="mails"
      failure={outbox.failure ?? invitations.failure}
      actions={
        <Action call={clear} ask={`Delete ${counted(messages.length, 'mail')}?`}>
          Clear
        </Action>
      }
      search={search}
      setSearch={(text) => set({ search: text })}
      rows={found
        .slice(0, MOST)
        .map((one) => (
          <Row
            key={one.id}
            message={one}
            isNew={!isRead(read, one)}
            current={one.id === open}
            invitation={invitationOf(one)}
          />
        ))}
      panel={
        open &&
        outbox.data && (
          <MessagePanel
            id={open}
            message={message}
            invitation={message && invitationOf(message)}
            refresh={invitations.refresh}
            removed={outbox.refresh}
          />
        )
      }
    >
      {outbox.data && messages.length === 0 && <p class="nothing">No mail has been sent. An invitation sends one.</p>}
      {messages.length > 0 && found.length === 0 && <p class="nothing">No mail has these words.</p>}
      {found.length > MOST && <p class="quiet">The newest {MOST} are shown; search for older ones.</p>}
    </ListView>
  )
}

interface RowProps {
  readonly message: Message
  readonly isNew: boolean
  readonly current: boolean
  readonly invitation: InvitationView | undefined
}

function Row({ message: { id, to, subject, created_at }, isNew, current, invitation }: RowProps) {
  return (
    <li>
      <a href={linkTo('mail', id)} class={isNew ? 'new' : ''} aria-current={current ? 'true' : undefined}>
        <span class="marks">
          {isNew && <span class="dot" role="img" aria-label="unread" />}
          <Line text={to} />
        </span>
        <span class="at">
          <Time at={created_at} />
        </span>
        <span class="quiet marks">
          <Line text={subject} />
        </span>
        {invitation && <Badge kind={invitation.status} />}
      </a>
    </li>
  )
}
