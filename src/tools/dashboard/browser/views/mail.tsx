import type { Delivery, Message } from '../../../../engine/sandbox/mail/outbox.js'
import { callAdmin, useAdminQuery } from '../admin.js'
import { apiFacts, linkTo, useFilter } from '../page.js'
import { Action } from '../parts/controls.js'
import { ListView, matches, Row } from '../parts/list.js'
import { CausingRequest, Panel } from '../parts/panel.js'
import { Badge, Code, Facts, Line, pluralize, reveal, Time } from '../parts/texts.js'

const { recordsBehindMails } = apiFacts

interface RecordBehindMail {
  readonly id: string
  readonly status: string
}

export function Mail({ address: [open] }: { readonly address: readonly string[] }) {
  const outbox = useAdminQuery<{ messages: readonly Message[] }>('outbox', ['mail'])
  const { recordBehind, failure } = useRecordsBehindMails()
  const [{ search }, set] = useFilter({ search: '' })
  const messages = [...(outbox.data?.messages ?? [])].reverse()
  const found = messages.filter(({ to, from, subject, text }) => matches([to, from, subject, text].join('\n'), search))
  const message = messages.find(({ id }) => id === open)
  const question = `Delete ${pluralize(messages.length, 'mail')}?`
  const actions = <Action label="Clear" ask={question} call={() => callAdmin('DELETE', 'outbox')} />
  const panel = open && outbox.data && <MessagePanel id={open} of={message} about={message && recordBehind(message)} />
  return (
    <ListView
      title="Mail"
      rowCount={found.length}
      failure={outbox.failure ?? failure}
      {...{ open, search, set, actions, panel }}
    >
      {outbox.data && found.length === 0 && (
        <p class="nothing">{messages.length === 0 ? NOTHING : 'No mail matches your search.'}</p>
      )}
      <ol class="rows mails">
        {found.map((one) => (
          <Row key={one.id} to={linkTo('mail', one.id)} isOpen={one.id === open}>
            <Line text={one.to} /> <Time at={one.created_at} /> <Line class="quiet" text={one.subject} />
            <RecordBadge of={recordBehind(one)} />
          </Row>
        ))}
      </ol>
    </ListView>
  )
}

const NOTHING = `No mail has been sent.${recordsBehindMails === undefined ? '' : ` ${recordsBehindMails.emptyHint}`}`

function useRecordsBehindMails() {
  const path = recordsBehindMails?.path
  const { data, failure } = useAdminQuery<Readonly<Record<string, readonly RecordBehindMail[]>>>(path, ['state'], 2_000)
  const all = (path && data?.[path]) || []
  const recordBehind = ({ links }: Message) =>
    all.find(({ id }) => Object.values(links).some((link) => link.includes(`/${path}/${id}`)))
  return { recordBehind, failure }
}

function RecordBadge({ of }: { readonly of: RecordBehindMail | undefined }) {
  return of && <Badge kind={recordsBehindMails?.tones[of.status] ?? 'other'} text={of.status} />
}

function MessagePanel({ id, of: message, about }: { id: string; of?: Message; about?: RecordBehindMail }) {
  const panel = { focusKey: id, back: linkTo('mail') }
  if (message === undefined) return <Panel title="Mail" {...panel} missing="This mail no longer exists." />
  const path = `outbox/${encodeURIComponent(id)}`
  const { from, to, created_at, delivery, subject, text, links } = message
  const remove = async () => {
    await callAdmin('DELETE', path)
    location.hash = panel.back
  }
  const fitFrame = ({ currentTarget }: { readonly currentTarget: HTMLIFrameElement }) => {
    const { contentDocument } = currentTarget
    if (contentDocument) currentTarget.height = String(contentDocument.documentElement.scrollHeight)
  }
  return (
    <Panel title={<Line text={subject} />} {...panel}>
      {/* No button is below what loads later: it would move under the pointer. */}
      <p class="row">
        <a class="button" href={`${path}/source`} target="_blank" rel="noreferrer">
          Source and headers
        </a>
        <Action class="danger" label="Delete" ask="Delete this mail?" call={remove} />
      </p>
      <Facts of={{ From: from, To: to, Delivery: describeDelivery(delivery) }} />
      {about && <Answer key={id} to={about} page={Object.values(links)[0]} />}
      <p class="quiet">
        Sent <Time at={created_at} /> <CausingRequest search={id} isCause={({ mails }) => mails.includes(id)} />
      </p>
      <iframe
        key={path}
        onLoad={fitFrame}
        title="The mail as its reader sees it"
        src={`${path}/html`}
        // No scripts. The same origin lets the page measure its height.
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      />
      <details>
        <summary>As text</summary>
        <Code title="Text of the mail">{reveal(text)}</Code>
      </details>
    </Panel>
  )
}

function describeDelivery({ status, error }: Delivery): string {
  return {
    kept: 'kept here, because no SMTP server is set',
    pending: 'on its way to the SMTP server',
    delivered: 'delivered to the SMTP server',
    failed: `failed: ${error}`,
  }[status]
}

function Answer({ to, page }: { readonly to: RecordBehindMail; readonly page: string | undefined }) {
  if (recordsBehindMails === undefined) return null
  const { path, name, answerable, answers } = recordsBehindMails
  const answer = async (event: string) => {
    await callAdmin('POST', `${path}/${encodeURIComponent(to.id)}/${event}`)
    document.getElementById('panel-title')?.focus()
  }
  return (
    <p class="row">
      <span role="status">
        {name} <RecordBadge of={to} />
      </span>
      {to.status === answerable &&
        answers.map((one, at) => (
          <Action key={one.name} class={at ? undefined : 'main'} label={one.label} call={() => answer(one.name)} />
        ))}
      <a href={page} target="_blank" rel="noreferrer">
        Open its page
      </a>
    </p>
  )
}
