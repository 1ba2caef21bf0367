import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Rule } from '../../../../../engine/files/scenario.js'
import type { ExchangeEntry } from '../../../../../engine/journal/entry.js'
import { isForm } from '../../../../../engine/journal/sent-request.js'
import { linkTo } from '../../address.js'
import { useAdminQuery } from '../../admin-query.js'
import { get, getText } from '../../api.js'
import { Action, Problem } from '../../parts/controls.js'
import { CopyButton } from '../../parts/copy-button.js'
import { NextCalls } from '../../parts/next-calls.js'
import { GonePanel, Panel } from '../../parts/panel.js'
import { Code, describePending, Facts, Method, Path, Status, statusText, visible } from '../../parts/texts.js'
import { Time } from '../../parts/time.js'
import { answerCalls, type ScenarioList } from '../../scenarios.js'
import { type Comparable, CompareWith } from './comparison.js'
import { Corrected } from './corrected.js'
import { type OpenedExchange, SendAgain } from './send-again.js'
import { Deviations, reasonFor, Violations } from './violations.js'

/** Milliseconds between looks at a request that is not answered yet. */
const LOOK = 500

const FORMATS = ['curl', 'fetch', 'scenario', 'test']

interface ExchangePanelProps {
  readonly id: string
  /** Those that it can be compared with, the newest first. */
  readonly all: readonly Comparable[]
}

export function ExchangePanel({ id, all }: ExchangePanelProps) {
  const back = linkTo('requests')
  const path = `requests/${encodeURIComponent(id)}`
  const isWaiting = (one: OpenedExchange) => one.duration === null
  const { data: exchange, failure } = useAdminQuery<OpenedExchange>(path, ['journal', 'exchanges'], LOOK, isWaiting)
  const opened = useRef(exchange)
  if (exchange !== undefined && opened.current?.id !== id) opened.current = exchange
  // After a reset, ids begin anew.
  const isOther = (['at', 'method', 'url'] as const).some(
    (part) => exchange && exchange[part] !== opened.current?.[part],
  )
  if (failure?.status === 404 || isOther) {
    return (
      <GonePanel title={`Exchange ${id}`} of={id} back={back}>
        Exchange <bdi>{id}</bdi> is no longer in the journal:{' '}
        {isOther
          ? 'the sandbox was reset, and another request has its id.'
          : 'the journal was cleared, or newer exchanges replaced it.'}
      </GonePanel>
    )
  }
  if (exchange === undefined) {
    return (
      <Panel title={`Exchange ${id}`} of={id} back={back}>
        <Problem failure={failure} />
      </Panel>
    )
  }
  const { method, url, status, outcome, duration, at, operation, violations, deviations, response, trace } = exchange
  const { received = 0, elapsed = 0 } = exchange
  const fault = response?.fault ?? null
  const isPending = duration === null
  const reason = isPending ? '' : reasonFor(exchange.cause, trace.why, violations[0])
  const title = (
    <>
      <Method name={method} /> <Path of={url.replace(/\?.*$/s, '')} />
    </>
  )
  return (
    <Panel title={title} of={id} back={back}>
      {reason !== '' && (
        <p class="reason">
          <bdi>{visible(reason)}</bdi>
        </p>
      )}
      <p class="row summary">
        <Status of={statusText({ status, fault, duration })} />
        {!isPending && <code>{outcome ?? fault ?? response?.headers['x-mock-error'] ?? 'no answer'}</code>}
        <span class="quiet">{isPending ? describePending({ received, elapsed }) : `${Math.round(duration)} ms`}</span>
        <span class="quiet">
          <Time at={at} />
        </span>
      </p>
      {violations.some(({ corrected }) => corrected !== undefined) && <Corrected key={id} exchange={exchange} />}
      <Violations of={violations} said={reason} />
      <Deviations of={deviations} />
      <RequestPart exchange={exchange}>
        <div class="row copies" key={id}>
          <span class="quiet">Copy as</span>
          {FORMATS.map((format) => (
            <CopyButton key={format} name={format} text={() => getText(`${path}?format=${format}`)} />
          ))}
          <SendAgain exchange={exchange} />
          <CompareWith exchange={exchange} all={all} />
        </div>
      </RequestPart>
      <AnswerPart exchange={exchange} />
      <BroughtAbout exchange={exchange} />
      {operation !== null && <NextCallsLike key={`next ${id}`} path={path} operation={operation} />}
      <Folded
        title="Details"
        of={{
          exchange: id,
          url,
          ...(exchange.cause !== 'natural' && { cause: exchange.cause }),
          ...(trace.answeredBy !== 'operate' && { step: trace.answeredBy }),
          sandbox: exchange.sandbox ?? 'root',
        }}
      />
    </Panel>
  )
}

function BroughtAbout({ exchange: { effects, mails } }: { readonly exchange: ExchangeEntry }) {
  if (effects.length + mails.length === 0) return null
  return (
    <section aria-labelledby="brought-title">
      <h3 id="brought-title">What it changed</h3>
      <ul>
        {effects.map(({ collection, key, change }) => (
          <li key={`${collection}/${key}`}>
            {change} <a href={linkTo('state', collection, key)}>{`${collection}/${key}`}</a>
          </li>
        ))}
        {mails.map((mail) => (
          <li key={mail}>
            sent <a href={linkTo('mail', mail)}>{`mail ${mail}`}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function NextCallsLike({ path, operation }: { readonly path: string; readonly operation: string }) {
  const { data } = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges'])
  const answerAll = async () => answerCalls(operation, await get<Rule>(`${path}?format=rule`))
  return (
    <section aria-labelledby="next-title">
      <h3 id="next-title">Next calls</h3>
      {data && <NextCalls list={data} operation={operation} />}
      <Action class="small" call={answerAll}>{`Answer all ${operation} calls like this`}</Action>
    </section>
  )
}

interface RequestPartProps {
  readonly exchange: ExchangeEntry
  readonly children: ComponentChildren
}

function RequestPart({ exchange: { request }, children }: RequestPartProps) {
  const { query, params, headers, body } = request
  return (
    <section aria-labelledby="request-title">
      <h3 id="request-title">Request</h3>
      {children}
      {Object.entries({ Path: params, Query: query, 'Form fields': isForm(body) ? body : {} }).map(
        ([title, facts]) =>
          Object.keys(facts).length > 0 && (
            <div key={title}>
              <h4>{title}</h4>
              <Facts of={facts} />
            </div>
          ),
      )}
      {typeof body === 'string' && <Code label="Body of the request">{visible(body)}</Code>}
      <Folded title="Headers" of={headers} />
    </section>
  )
}

function AnswerPart({ exchange: { status, duration, response } }: { readonly exchange: ExchangeEntry }) {
  if (response === null || duration === null) return null
  const { fault, body, headers } = response
  return (
    <section aria-labelledby="answer-title">
      <h3 id="answer-title">Answer</h3>
      {fault === null ? (
        <Status of={statusText({ status, fault, duration })} />
      ) : (
        <p>
          The connection was broken on purpose: <code>{fault}</code>.
        </p>
      )}
      {body !== null && (
        <Code label="Body of the answer">
          {visible(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}
        </Code>
      )}
      <Folded title="Headers" of={headers} />
    </section>
  )
}

function Folded({ title, of }: { readonly title: string; readonly of: Readonly<Record<string, unknown>> }) {
  return (
    <details>
      <summary>{title}</summary>
      <Facts of={of} />
    </details>
  )
}
