import { useRef } from 'preact/hooks'
import type { Rule } from '../../../../../engine/files/scenario.js'
import type { ExchangeEntry } from '../../../../../engine/journal/entry.js'
import { isForm } from '../../../../../engine/journal/sent-request.js'
import { fetchAdmin, useAdminQuery } from '../../admin.js'
import { apiFacts, linkTo } from '../../page.js'
import { CopyButton, SendButton, useStored } from '../../parts/call-buttons.js'
import { Action, Choice, Problem } from '../../parts/controls.js'
import { Panel } from '../../parts/panel.js'
import { Body, Details, Facts, Line, reveal, Section, Status, statusText, Time, Waiting } from '../../parts/texts.js'
import { answerCalls } from '../../scenarios.js'
import { Corrected } from './corrected.js'
import { Flaws, reasonFor } from './flaws.js'

interface OpenedExchange extends ExchangeEntry {
  /** Set while the exchange is pending. */
  readonly received?: number
  readonly elapsed?: number
  /** Null for an unknown caller. */
  readonly caller: Readonly<Record<string, string>> | null
}

const FORMATS = ['curl', 'fetch', 'scenario']
const TESTS: Readonly<Record<string, string>> = { 'node:test': 'test', Vitest: 'vitest', Playwright: 'playwright' }

export function ExchangePanel({ id }: { readonly id: string }) {
  const panel = { focusKey: id, back: linkTo('requests') }
  const path = `requests/${encodeURIComponent(id)}`
  const { data: exchange, failure } = useAdminQuery<OpenedExchange>(path, ['journal', 'exchanges', 'state'])
  const opened = useRef(exchange)
  const [framework, choose] = useStored('countersign:tests')
  if (exchange !== undefined && opened.current?.id !== id) opened.current = exchange
  // After a reset, ids begin anew.
  const isOther = exchange !== undefined && (exchange.at !== opened.current?.at || exchange.url !== opened.current.url)
  if (failure?.status === 404 || isOther) {
    const why = isOther
      ? 'the sandbox was reset, and another request has its id.'
      : 'the journal was cleared, or newer exchanges replaced it.'
    return <Panel title={`Exchange ${id}`} {...panel} missing={`Exchange ${id} is no longer in the journal: ${why}`} />
  }
  if (exchange === undefined) {
    return (
      <Panel title={`Exchange ${id}`} {...panel}>
        <Problem failure={failure} />
      </Panel>
    )
  }
  const { method, url, cause, duration, operation, violations, trace } = exchange
  const reason = duration === null ? '' : reasonFor(cause, trace.why, violations[0])
  const title = (
    <>
      <span class="method">{method}</span> <Line text={(url ?? 'cannot be read').replace(/\?.*$/s, '')} />
    </>
  )
  const answerAll = async () => answerCalls(operation ?? '', await fetchAdmin<Rule>(`${path}?format=rule`))
  return (
    <Panel title={title} {...panel}>
      {reason !== '' && <p class="reason">{reveal(reason)}</p>}
      <Summary key={`${id} ${duration}`} of={exchange} />
      {violations.some(({ corrected }) => corrected !== undefined) && <Corrected key={id} id={id} />}
      <Flaws of={exchange} shownMessage={reason} />
      <Section title="Request" key={id}>
        <p class="row">
          <span class="quiet">Copy as</span>
          {FORMATS.map((format) => (
            <CopyButton key={format} name={format} text={() => fetchAdmin(`${path}?format=${format}`)} />
          ))}
          <CopyButton name="test" text={() => fetchAdmin(`${path}?format=${TESTS[framework] ?? 'test'}`)} />
          <Choice label="Tests for" value={framework || 'node:test'} of={Object.keys(TESTS)} set={choose} />
        </p>
        <SendAgain exchange={exchange} />
        <RequestParts of={exchange.request} />
      </Section>
      <Answer of={exchange} />
      <Effects of={exchange} />
      {operation !== null && duration !== null && (
        <p key={`next ${id}`}>
          <Action class="small" label={`Answer all ${operation} calls like this`} call={answerAll} />{' '}
          <a class="button small" href={linkTo('outcomes')}>
            Next calls
          </a>
        </p>
      )}
      <Details
        title="Details"
        of={{ exchange: id, url, cause, step: trace.answeredBy, sandbox: exchange.sandbox ?? 'root' }}
      />
    </Panel>
  )
}

function Summary({ of: exchange }: { readonly of: OpenedExchange }) {
  const { status, outcome, duration, response, at } = exchange
  const fault = response?.fault ?? null
  return (
    <p class="row quiet">
      <Status of={statusText({ status, fault, duration })} />
      {duration === null && <Waiting {...exchange} />}
      {duration !== null && <code>{outcome ?? fault ?? response?.headers['x-mock-error'] ?? 'no answer'}</code>}
      {duration !== null && `${Math.round(duration)} ms`}
      <Time at={at} />
    </p>
  )
}

function SendAgain({ exchange }: { readonly exchange: OpenedExchange }) {
  const { id, caller, request } = exchange
  const values = isForm(request.body) ? Object.values(request.body).flat() : []
  const files = values.flatMap((value) =>
    typeof value === 'string' ? [] : [value.filename || 'a file without a name'],
  )
  if (files.length > 0) {
    return <p class="quiet">The journal does not keep {files.join(', ')}. Send this request again from your app.</p>
  }
  const names = Object.entries(caller ?? {}).filter(([field]) => !apiFacts.userKey.includes(field))
  const who = caller === null ? describeToken(exchange) : `as ${names.map(([, text]) => text).join(' ')}`
  return (
    <p class="row">
      <SendButton label="Send again" call={() => fetchAdmin(`requests/${encodeURIComponent(id)}?format=call`)} />
      <span class="quiet">{who}</span>
    </p>
  )
}

function describeToken({ request: { headers } }: OpenedExchange): string {
  const hasToken = apiFacts.tokenHeaders.some(({ name }) => name in headers)
  return hasToken ? 'with a token that no user has' : 'without a token'
}

function RequestParts({ of: { query, params, headers, body } }: { readonly of: ExchangeEntry['request'] }) {
  const groups = Object.entries({ Path: params, Query: query, 'Form fields': isForm(body) ? body : {} })
  const shown = groups.filter(([, facts]) => Object.keys(facts).length > 0)
  return (
    <>
      {shown.flatMap(([title, facts]) => [<h4 key={title}>{title}</h4>, <Facts key={`${title} facts`} of={facts} />])}
      {typeof body === 'string' && <Body title="Body of the request" of={body} />}
      <Details title="Headers" of={headers} />
    </>
  )
}

function Answer({ of: { status, duration, response } }: { readonly of: ExchangeEntry }) {
  if (response === null || duration === null) return null
  const { fault, body, headers } = response
  return (
    <Section title="Answer">
      {fault === null ? <Status of={String(status)} /> : <p>{`The fault ${fault} was forced: no usable answer.`}</p>}
      {body !== null && <Body title="Body of the answer" of={body} />}
      <Details title="Headers" of={headers} />
    </Section>
  )
}

function Effects({ of: { effects, mails } }: { readonly of: ExchangeEntry }) {
  if (effects.length + mails.length === 0) return null
  const changed = effects.map(({ collection, key, change }) => {
    return { what: change, name: `${collection}/${key}`, link: linkTo('state', collection, key) }
  })
  const sent = mails.map((mail) => ({ what: 'sent', name: `mail ${mail}`, link: linkTo('mail', mail) }))
  return (
    <Section title="What it changed">
      <ul>
        {[...changed, ...sent].map(({ what, name, link }) => (
          <li key={name}>
            {what} <a href={link}>{name}</a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
