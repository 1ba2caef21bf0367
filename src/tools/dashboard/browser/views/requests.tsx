import { useMemo, useRef } from 'preact/hooks'
import { USER_TYPE_PAIR } from '../../../../../schemas/user-type.js'
import type { ExchangeSummary, PendingEntry } from '../../../../engine/journal/entry.js'
import { readableUrl } from '../../../../engine/judge/decode.js'
import { linkTo, useFilter } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { callAdmin } from '../api.js'
import { Action, Options } from '../parts/controls.js'
import { CopyButton } from '../parts/copy-button.js'
import { LanguageSwitch, useLanguage } from '../parts/language.js'
import { ListView, Rows } from '../parts/list-view.js'
import { Code, counted, describePending, Line, Method, Status, statusText } from '../parts/texts.js'
import { Time } from '../parts/time.js'
import { sandboxHere, urlOfSandbox } from '../sandbox.js'
import { Comparison } from './requests/comparison.js'
import { ExchangePanel } from './requests/exchange.js'
import { reasonFor } from './requests/violations.js'

const MOST = 1_000
const PATH = `requests?format=summary&pending=true&limit=${MOST}`
/** Milliseconds between looks at requests that are not answered yet. */
const LOOK = 500

/** One that is not answered yet has no duration. */
type ListedExchange = Omit<ExchangeSummary, 'duration'> &
  Partial<Omit<PendingEntry, 'duration'>> & {
    readonly duration: number | null
  }

export function Requests({ address: [open, other] }: { readonly address: readonly string[] }) {
  const [filter, set] = useFilter(['operation', 'status', 'violations', 'search'], open)
  const { operation, status, violations, search } = filter
  const { data, failure } = useJournal(PATH)
  const all = data?.requests ?? []
  // The server searches bodies too. The last result stays while it searches.
  const searched = search.trim() === '' ? undefined : `${PATH}&search=${encodeURIComponent(search)}`
  const worded = useJournal(searched).data
  const lastWorded = useRef(worded)
  lastWorded.current = searched === undefined ? undefined : (worded ?? lastWorded.current)
  const found = (lastWorded.current?.requests ?? all).filter(
    (exchange) =>
      (operation === '' || operationOf(exchange) === operation) &&
      (status === '' || statusText(exchange) === status) &&
      (violations === '' || exchange.violations.length > 0),
  )
  return (
    <ListView
      title="Requests"
      failure={failure}
      actions={
        <>
          <a class="button" href={linkTo('scenarios', '', '', 'recorded')}>
            Save as scenario
          </a>
          <Action
            call={() => callAdmin('DELETE', 'requests')}
            ask={`Delete ${counted(all.length, 'exchange')} from the journal?`}
          >
            Clear
          </Action>
        </>
      }
      search={search}
      setSearch={(text) => set({ search: text })}
      filters={
        <>
          <Choice
            label="Operation"
            value={operation}
            values={all.map(operationOf)}
            set={(operation) => set({ operation })}
          />
          <Choice label="Status" value={status} values={all.map(statusText)} set={(status) => set({ status })} />
          <label class="row">
            <input
              type="checkbox"
              checked={violations !== ''}
              onChange={({ currentTarget }) => set({ violations: currentTarget.checked ? 'true' : '' })}
            />
            Only with violations
          </label>
        </>
      }
      panel={open && (other ? <Comparison ids={[open, other]} /> : <ExchangePanel id={open} all={all} />)}
    >
      <p class="quiet count">
        {found.length < all.length && `${found.length} of `}
        {counted(all.length, 'exchange')}
        {all.length === MOST && ': the newest; older ones are not shown'}
      </p>
      {data && all.length === 0 && <FirstRequest />}
      {all.length > 0 && found.length === 0 && (
        <div class="nothing">
          <p>No request matches the filters.</p>
          <button type="button" onClick={() => set({ operation: '', status: '', violations: '', search: '' })}>
            Clear filters
          </button>
        </div>
      )}
      <Rows class="exchanges" open={open}>
        {found.map((one) => (
          <Row key={one.id} exchange={one} current={one.id === open} />
        ))}
      </Rows>
    </ListView>
  )
}

function useJournal(path: string | undefined) {
  const isWaiting = ({ requests }: ListedJournal) => requests.some(({ duration }) => duration === null)
  return useAdminQuery<ListedJournal>(path, ['exchanges', 'journal'], LOOK, isWaiting)
}

interface ListedJournal {
  readonly requests: readonly ListedExchange[]
}

const operationOf = ({ operation }: ListedExchange) => operation ?? 'unmatched'

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly values: readonly string[]
  readonly set: (value: string) => void
}

/** Also offers a chosen value that no longer occurs. */
function Choice({ label, value, values, set }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <option value="">{`${label}: any`}</option>
      <Options of={[...new Set([...values, value])].filter((one) => one !== '').sort()} selected={value} />
    </select>
  )
}

/** Memoised: there may be a thousand. After a reset, ids begin anew. */
function Row({ exchange, current }: { readonly exchange: ListedExchange; readonly current: boolean }) {
  const { id, at, method, url, fault, outcome, problem, duration, elapsed, violations, deviations } = exchange
  return useMemo(() => {
    const [path = '', query = ''] = readableUrl(url.replace(/^\/~[^/?]*/, ''), USER_TYPE_PAIR).split(/(?=\?)(.*)/s)
    const isExpected = violations.every((one) => one.expected)
    return (
      <li>
        <a href={linkTo('requests', id)} aria-current={current ? 'true' : undefined}>
          <span class="at">
            <Time at={at} />
          </span>
          <Status of={statusText(exchange)} />
          <span class="what">
            <Method name={method} />
            <span class="line-text">
              <span class="path">
                <Line text={shortened(path)} />
              </span>
              <span class="query">
                <Line text={shortQuery(query)} />
              </span>
            </span>
          </span>
          <span class="off-screen">
            <Line text={outcome ?? problem ?? fault ?? (duration === null ? 'not answered yet' : 'no answer')} />
          </span>
          <span class="duration">{duration === null ? '' : `${Math.round(duration)} ms`}</span>
          <span class="why">
            {violations.length > 0 && (
              <span class={`flaw ${isExpected ? 'expected' : violations[0]?.basis}`}>
                {counted(violations.length, 'violation')}
                {isExpected && ', expected'}
              </span>
            )}
            {deviations > 0 && <span class="flaw deviation">{counted(deviations, 'deviation')}</span>}
            <Line text={whyOf(exchange)} />
          </span>
        </a>
      </li>
    )
  }, [id, at, current, duration, elapsed])
}

/** A UUID by its beginning: an open request shows the whole. */
function shortened(text: string): string {
  return text.replace(/([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, '$1…')
}

/** What tells two requests apart first, UUIDs last. */
function shortQuery(query: string): string {
  const pairs = shortened(query.slice(1)).split('&')
  const isUuid = (pair: string) => Number(pair.endsWith('…'))
  return query && `?${pairs.sort((a, b) => isUuid(a) - isUuid(b)).join('&')}`
}

function whyOf({
  fault,
  problem,
  cause,
  why,
  violations,
  duration,
  received = 0,
  elapsed = 0,
}: ListedExchange): string {
  if (duration === null) return describePending({ received, elapsed })
  const reason = reasonFor(cause, why, violations[0])
  return reason === '' ? (fault ?? problem ?? '') : reason
}

function FirstRequest() {
  const language = useLanguage()
  const { data: api } = useAdminQuery<{ paths: Paths }>('openapi.json', [])
  const operation = api && firstRead(api.paths)
  const { data } = useAdminQuery<{ path: string; token: string }>(operation && `examples/${operation}`, ['state'])
  const url = urlOfSandbox(sandboxHere)
  const call = {
    curl: `curl -H 'Authorization: Bearer ${data?.token}' '${url}${data?.path}'`,
    fetch: `await fetch('${url}${data?.path}', {\n  headers: { authorization: 'Bearer ${data?.token}' },\n})`,
  }
  const texts = data && { 'Base URL': url, Token: data.token, 'A first request': call[language] }
  return (
    <div class="nothing">
      <p>No requests yet. They appear here as they arrive.</p>
      {Object.entries(texts ?? {}).map(([name, text]) => (
        <section key={name} aria-label={name}>
          <p class="row copies">
            <strong>{name}</strong>
            <CopyButton name={`Copy ${name.toLowerCase()}`} text={text} />
            {name === 'A first request' && <LanguageSwitch />}
          </p>
          <Code label={name}>{text}</Code>
        </section>
      ))}
      <p>
        The <a href="docs">documentation</a> has a form for each operation.
      </p>
    </div>
  )
}

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>

/** The id of the first operation that only reads. */
function firstRead(paths: Paths): string | undefined {
  return Object.values(paths).find(({ get }) => get !== undefined)?.get?.operationId
}
