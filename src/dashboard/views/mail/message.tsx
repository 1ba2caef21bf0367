import { useRef } from 'preact/hooks'
import type { Delivery, Message } from '../../../world/mail/outbox.js'
import { linkTo } from '../../address.js'
import { call } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { Action } from '../../parts/action.js'
import { Code } from '../../parts/code.js'
import { Facts } from '../../parts/facts.js'
import { Badge, Line } from '../../parts/marks.js'
import { Gone, Panel } from '../../parts/panel.js'
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
  if (message === undefined) {
    return (
      <Panel title="Mail" of={id} back={['mail']}>
        <Gone back={['mail']}>This mail no longer exists.</Gone>
      </Panel>
    )
  }
  const path = `outbox/${encodeURIComponent(id)}`
  const { from, to, created_at, delivery, subject, text, links } = message
  const remove = async () => {
    await call(path, { method: 'DELETE' })
    location.hash = linkTo('mail')
    removed()
  }
  return (
    <Panel title={<Line text={subject} />} of={id} back={['mail']}>
      <Facts of={{ From: from, To: to, Sent: created_at, Delivery: describeDelivery(delivery) }} />
      {invitation && <Answer key={id} to={invitation} page={links.accept} refresh={refresh} />}
      <Preview key={id} path={path} />
      <details>
        <summary>As text</summary>
        <Code text={text} label="Text of the mail" />
      </details>
      <p class="buttons">
        <a class="button" href={`${path}/source`} target="_blank" rel="noreferrer">
          Source and headers
        </a>
        <Action kind="danger" call={remove} ask="Delete this mail?">
          Delete
        </Action>
      </p>
    </Panel>
  )
}

/** The mail as its reader sees it, in its full height; its links open in a new tab. */
function Preview({ path }: { readonly path: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const fit = () => {
    const { current } = frame
    if (current?.contentDocument) current.height = String(current.contentDocument.documentElement.scrollHeight)
  }
  return (
    <iframe
      ref={frame}
      onLoad={fit}
      title="The mail as its reader sees it"
      src={`${path}/html`}
      // It has no scripts: that it is of this origin lets the page measure it, and nothing more.
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
    />
  )
}

function describeDelivery({ status, ...delivery }: Delivery): string {
  if (status === 'kept') return 'kept here, because no SMTP server is set'
  if (status === 'pending') return 'on its way to the SMTP server'
  if (status === 'delivered') return 'delivered to the SMTP server'
  return `failed after ${delivery.attempts} attempts: ${delivery.error ?? 'unknown reason'}`
}

interface AnswerProps {
  readonly to: InvitationView
  /** The URL of the invitation's page. */
  readonly page: string
  readonly refresh: () => void
}

/** Answers the invitation in place of the invited person. */
function Answer({ to: { id, status }, page, refresh }: AnswerProps) {
  const { run, busy, failure } = useAct()
  const answer = async (event: 'accept' | 'decline') => {
    await run(() => call(`invitations/${encodeURIComponent(id)}/${event}`, { method: 'POST' }))
    refresh()
    // The buttons go with the answer.
    document.getElementById('panel-title')?.focus()
  }
  return (
    <div class="answer">
      <p class="marks" role="status">
        Invitation <Badge kind={status} />
        <a href={page} target="_blank" rel="noreferrer">
          Open its page
        </a>
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
