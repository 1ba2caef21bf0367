import { useEffect, useRef, useState } from 'preact/hooks'
import type { Delivery, Message } from '../../../world/mail/outbox.js'
import { linkTo } from '../../address.js'
import { call, callText } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { Action } from '../../parts/action.js'
import { Code } from '../../parts/code.js'
import { Badge, Line, Time } from '../../parts/marks.js'
import { Panel } from '../../parts/panel.js'
import { Problem } from '../../parts/problem.js'
import type { InvitationView } from '../../shapes.js'

interface Props {
  readonly id: string
  readonly message: Message | undefined
  readonly invitation: InvitationView | undefined
  readonly refresh: () => void
  readonly removed: () => void
}

/** One mail as its reader sees it, and the answer to its invitation. */
export function MessagePanel({ id, message, invitation, refresh, removed }: Props) {
  const remove = async () => {
    await call(`outbox/${encodeURIComponent(id)}`, { method: 'DELETE' })
    location.hash = linkTo('mail')
    removed()
  }
  return (
    <Panel title={message === undefined ? 'Mail' : <Line text={message.subject} />} of={id} back={['mail']}>
      {message === undefined ? (
        <p class="nothing" role="status">
          This mail no longer exists. <a href="#/mail">Back to the list</a>
        </p>
      ) : (
        <>
          <Head of={message} />
          {invitation && <Answer key={id} to={invitation} refresh={refresh} />}
          <Rendered key={id} of={message} />
          <details>
            <summary>As text</summary>
            <Code text={message.text} label="Text of the mail" />
          </details>
          <Source key={`source ${id}`} id={id} />
          <p class="buttons">
            <Action kind="danger" call={remove} ask="Delete this mail?">
              Delete
            </Action>
          </p>
        </>
      )}
    </Panel>
  )
}

/** The mail as its reader sees it, as tall as it is; its buttons stand above, where they answer at once. */
function Rendered({ of: { id, links } }: { readonly of: Message }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const fit = () => {
    const { current } = frame
    const mail = current?.contentDocument
    if (!current || !mail) return
    for (const link of mail.querySelectorAll('a')) {
      const leads = link.getAttribute('href')
      if (leads === links.accept || leads === links.decline) link.style.display = 'none'
    }
    current.height = String(mail.documentElement.scrollHeight)
  }
  return (
    <iframe
      ref={frame}
      onLoad={fit}
      title="The mail as its reader sees it"
      src={`outbox/${encodeURIComponent(id)}/html`}
      // It has no scripts: that it is of this origin lets the page measure it, and nothing more.
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
    />
  )
}

/** The mail as it goes over the wire, with its headers. */
function Source({ id }: { readonly id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Source and headers</summary>
      {open && <SourceText path={`outbox/${encodeURIComponent(id)}/source`} />}
    </details>
  )
}

function SourceText({ path }: { readonly path: string }) {
  const [text, setText] = useState('')
  const { run, failure } = useAct()
  useEffect(() => {
    void run(async () => setText(await callText(path)))
  }, [path])
  return (
    <>
      <Problem failure={failure} />
      <Code text={text} label="Source of the mail" />
    </>
  )
}

function Head({ of: { from, to, created_at, delivery } }: { readonly of: Message }) {
  return (
    <dl class="facts mail-head">
      <div>
        <dt>From</dt>
        <dd>
          <bdi>{from}</bdi>
        </dd>
      </div>
      <div>
        <dt>To</dt>
        <dd>
          <bdi>{to}</bdi>
        </dd>
      </div>
      <div>
        <dt>Sent</dt>
        <dd>
          <Time at={created_at} day />
        </dd>
      </div>
      <div>
        <dt>Delivery</dt>
        <dd>{deliveryWords[delivery.status](delivery)}</dd>
      </div>
    </dl>
  )
}

const deliveryWords: { readonly [S in Delivery['status']]: (delivery: Delivery) => string } = {
  kept: () => 'kept here, because no SMTP server is set',
  pending: () => 'on its way to the SMTP server',
  delivered: () => 'delivered to the SMTP server',
  failed: ({ attempts, error }) => `failed after ${attempts} attempts: ${error ?? 'unknown reason'}`,
}

/** Answers the invitation in place of the invited person. */
function Answer({ to: { id, status }, refresh }: { readonly to: InvitationView; readonly refresh: () => void }) {
  const { run, busy, failure } = useAct()
  const answer = async (event: 'accept' | 'decline') => {
    await run(() => call(`invitations/${encodeURIComponent(id)}/${event}`, { method: 'POST' }))
    refresh()
    // The buttons go with the answer.
    document.getElementById('panel-title')?.focus()
  }
  return (
    <div class="answer">
      <p role="status">
        Invitation <Badge kind={status} />
      </p>
      {status === 'pending' && (
        <p class="buttons">
          <button type="button" class="go" aria-busy={busy} onClick={() => answer('accept')}>
            Accept
          </button>
          <button type="button" aria-busy={busy} onClick={() => answer('decline')}>
            Decline
          </button>
        </p>
      )}
      <Problem failure={failure} />
    </div>
  )
}

/** The invitation that a mail's link leads to. */
export function invitationIdOf(link: string): string {
  return /\/invitations\/([^/?#]+)/.exec(link)?.[1] ?? ''
}
