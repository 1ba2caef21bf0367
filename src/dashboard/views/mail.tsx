import { useEffect, useState } from 'preact/hooks'
import type { Message } from '../../world/mail/outbox.js'
import { linkTo } from '../address.js'
import { call } from '../api.js'
import { isRead, markRead, useRead } from '../bar/unread.js'
import { useFresh } from '../fresh.js'
import { Action } from '../parts/action.js'
import { Badge, counted, Line, Time } from '../parts/marks.js'
import { Problem } from '../parts/problem.js'
import { SearchBox } from '../parts/search-box.js'
import type { InvitationView } from '../shapes.js'
import { invitationIdOf, MessagePanel } from './mail/message.js'
import { moveByArrows } from './rows.js'
import type { ViewProps } from './view.js'

/** Mails drawn at once. */
const MOST = 200

/** The mails that this world sent. */
export function Mail({ address: [open] }: ViewProps) {
  const outbox = useFresh<{ messages: readonly Message[] }>('outbox', ['mail'])
  const invitations = useFresh<{ invitations: readonly InvitationView[] }>('invitations', ['mail', 'state'])
  const [text, search] = useState('')
  const messages = [...(outbox.data?.messages ?? [])].reverse()
  const found = messages.filter(({ to, from, subject, text: body }) =>
    [to, from, subject, body].join('\n').toLowerCase().includes(text.toLowerCase()),
  )
  const byId = new Map(invitations.data?.invitations.map((one) => [one.id, one]))
  const message = messages.find(({ id }) => id === open)
  const read = useRead()
  useEffect(() => {
    if (message !== undefined) markRead(message, messages)
  }, [message?.id, message?.created_at])
  const clear = () => call('outbox', { method: 'DELETE' }).then(outbox.refresh)
  return (
    <div class={`split ${open ? 'opened' : ''}`}>
      <section class="list" aria-labelledby="title">
        <header>
          <h1 id="title" tabIndex={-1}>
            Mail
          </h1>
          <Action call={clear} ask={`Delete ${counted(messages.length, 'mail')}?`}>
            Clear
          </Action>
        </header>
        <search class="filters">
          <SearchBox label="Search mails" value={text} set={search} />
        </search>
        <Problem failure={outbox.failure ?? invitations.failure} />
        {outbox.data && messages.length === 0 && <p class="nothing">No mail has been sent. An invitation sends one.</p>}
        {messages.length > 0 && found.length === 0 && <p class="nothing">No mail has these words.</p>}
        <ol class="rows mails" onKeyDown={moveByArrows}>
          {found.slice(0, MOST).map(({ id, to, subject, created_at, links }) => (
            <li key={id}>
              <a
                href={linkTo('mail', id)}
                class={isRead(read, { id, created_at }) ? '' : 'new'}
                aria-current={id === open ? 'true' : undefined}
              >
                <span class="to">
                  {!isRead(read, { id, created_at }) && <span class="dot" role="img" aria-label="unread" />}
                  <Line text={to} />
                </span>
                <span class="at quiet">
                  <Time at={created_at} />
                </span>
                <span class="subject">
                  <Line text={subject} />
                </span>
                <Answered invitation={byId.get(invitationIdOf(links.accept))} />
              </a>
            </li>
          ))}
        </ol>
        {found.length > MOST && <p class="quiet">The newest {MOST} are shown; search for older ones.</p>}
      </section>
      {open && outbox.data && (
        <MessagePanel
          id={open}
          message={message}
          invitation={message && byId.get(invitationIdOf(message.links.accept))}
          refresh={invitations.refresh}
          removed={outbox.refresh}
        />
      )}
    </div>
  )
}

function Answered({ invitation }: { readonly invitation: InvitationView | undefined }) {
  return invitation === undefined ? null : <Badge kind={invitation.status} />
}
