import { useEffect } from 'preact/hooks'
import type { Invitation } from '../../../../api/records.js'
import type { Delivery, Message } from '../../../../engine/sandbox/mail/outbox.js'
import { linkTo, useFilter } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { callAdmin } from '../api.js'
import { markRead, useIsRead } from '../bar/unread.js'
import { Action } from '../parts/controls.js'
import { firstOf, ListView, Rows } from '../parts/list-view.js'
import { GonePanel, Panel } from '../parts/panel.js'
import { SentBy } from '../parts/sent-by.js'
import { Badge, Code, counted, Facts, Line, visible } from '../parts/texts.js'
import { Time } from '../parts/time.js'

export function Mail({ address: [open] }: { readonly address: readonly string[] }) {
  const outbox = useAdminQuery<{ messages: readonly Message[] }>('outbox', ['mail'])
  const { data, failure } = useAdminQuery<{ invitations: readonly Invitation[] }>('invitations', ['state'])
  const [{ search }, set] = useFilter(['search'], open)
  const isRead = useIsRead()
  const messages = [...(outbox.data?.messages ?? [])].reverse()
  const found = messages.filter(({ to, from, subject, text }) =>
    [to, from, subject, text].join('\n').toLowerCase().includes(search.toLowerCase()),
  )
  const [shown, more] = firstOf(found)
  const invitationOf = (message: Message | undefined) =>
    data?.invitations.find(({ id }) => message?.links.accept.includes(`/invitations/${id}`))
  const message = messages.find(({ id }) => id === open)
  useEffect(() => {
    if (message !== undefined) markRead(message, messages)
  }, [message?.id, message?.created_at])
  return (
    <ListView
      title="Mail"
      failure={outbox.failure ?? failure}
      actions={
        <Action call={() => callAdmin('DELETE', 'outbox')} ask={`Delete ${counted(messages.length, 'mail')}?`}>
          Clear
        </Action>
      }
      search={search}
      setSearch={(text) => set({ search: text })}
      panel={open && outbox.data && <MessagePanel id={open} message={message} invitation={invitationOf(message)} />}
    >
      {outbox.data && found.length === 0 && (
        <p class="nothing">
          {messages.length === 0 ? 'No mail has been sent. An invitation sends one.' : 'No mail matches your search.'}
        </p>
      )}
      {more}
      <Rows class="mails" open={open}>
        {shown.map((one) => (
          <li key={one.id}>
            <a
              href={linkTo('mail', one.id)}
              class={isRead(one) ? '' : 'new'}
              aria-current={one.id === open ? 'true' : undefined}
            >
              <span class="row">
                {!isRead(one) && <span class="dot" role="img" aria-label="unread" />}
                <Line text={one.to} />
              </span>
              <span class="at">
                <Time at={one.created_at} />
              </span>
              <span class="row quiet">
                <Line text={one.subject} />
              </span>
              <Badge kind={invitationOf(one)?.status} />
            </a>
          </li>
        ))}
      </Rows>
    </ListView>
  )
}

function MessagePanel({ id, message, invitation }: { id: string; message?: Message; invitation?: Invitation }) {
  const back = linkTo('mail')
  if (message === undefined) {
    return (
      <GonePanel title="Mail" of={id} back={back}>
        This mail no longer exists.
      </GonePanel>
    )
  }
  const path = `outbox/${encodeURIComponent(id)}`
  const { from, to, created_at, delivery, subject, text, links } = message
  const remove = async () => {
    await callAdmin('DELETE', path)
    location.hash = back
  }
  const fitFrame = ({ currentTarget }: { readonly currentTarget: HTMLIFrameElement }) => {
    const { contentDocument } = currentTarget
    if (contentDocument) currentTarget.height = String(contentDocument.documentElement.scrollHeight)
  }
  return (
    <Panel title={<Line text={subject} />} of={id} back={back}>
      <Facts of={{ From: from, To: to, Delivery: describeDelivery(delivery) }} />
      <p class="row quiet">
        Sent <Time at={created_at} />
        <SentBy search={id} isIts={({ mails }) => mails.includes(id)} />
      </p>
      {invitation && <Answer key={id} to={invitation} page={links.accept} />}
      <iframe
        key={path}
        onLoad={fitFrame}
        title="The mail as its reader sees it"
        src={`${path}/html`}
        // Without scripts. The same origin lets the page measure its height.
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      />
      <details>
        <summary>As text</summary>
        <Code label="Text of the mail">{visible(text)}</Code>
      </details>
      <p class="row">
        <a class="button" href={`${path}/source`} target="_blank" rel="noreferrer">
          Source and headers
        </a>
        <Action class="danger" call={remove} ask="Delete this mail?">
          Delete
        </Action>
      </p>
    </Panel>
  )
}

function describeDelivery({ status, attempts, error }: Delivery): string {
  return {
    kept: 'kept here, because no SMTP server is set',
    pending: 'on its way to the SMTP server',
    delivered: 'delivered to the SMTP server',
    failed: `failed after ${attempts} attempts: ${error}`,
  }[status]
}

/** Answers for the invited person; `page` is the URL of the invitation. */
function Answer({ to: { id, status }, page }: { readonly to: Invitation; readonly page: string }) {
  const answer = async (event: 'accept' | 'decline') => {
    await callAdmin('POST', `invitations/${encodeURIComponent(id)}/${event}`)
    document.getElementById('panel-title')?.focus()
  }
  return (
    <>
      <p class="row" role="status">
        Invitation <Badge kind={status} />
        <a href={page} target="_blank" rel="noreferrer">
          Open its page
        </a>
      </p>
      {status === 'pending' && (
        <p class="row">
          <Action class="go" call={() => answer('accept')}>
            Accept
          </Action>
          <Action call={() => answer('decline')}>Decline</Action>
        </p>
      )}
    </>
  )
}
