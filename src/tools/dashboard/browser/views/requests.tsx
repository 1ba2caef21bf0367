import { useMemo, useRef } from 'preact/hooks'
import type { ExchangeSummary } from '../../../../mock/http/views/entry.js'
import { linkTo, useFilter } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { callAdmin } from '../api.js'
import { Action, Options } from '../parts/controls.js'
import { CopyButton } from '../parts/copy-button.js'
import { ListView, Rows } from '../parts/list-view.js'
import { Code, counted, Line, Method, Status, statusText } from '../parts/texts.js'
import { Time } from '../parts/time.js'
import { sandboxHere, urlOfSandbox } from '../sandbox.js'
import { ExchangePanel } from './requests/exchange.js'
import { reasonFor } from './requests/violations.js'

const MOST = 1_000
const PATH = `requests?format=summary&limit=${MOST}`

export function Requests({ address: [open] }: { readonly address: readonly string[] }) {
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
        <Action
          call={() => callAdmin('DELETE', 'requests')}
          ask={`Delete ${counted(all.length, 'exchange')} from the journal?`}
        >
          Clear
        </Action>
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
      panel={open && <ExchangePanel id={open} />}
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
  return useAdminQuery<{ readonly requests: readonly ExchangeSummary[] }>(path, ['exchanges', 'journal'])
}

const operationOf = ({ operation }: ExchangeSummary) => operation ?? 'unmatched'

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
function Row({ exchange, current }: { readonly exchange: ExchangeSummary; readonly current: boolean }) {
  const { id, at, method, url, fault, outcome, problem, duration, violations, deviations } = exchange
  return useMemo(() => {
    const reason = reasonFor(exchange.cause, exchange.why, violations[0])
    const [path = ''] = url.split('?')
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
              <Line text={path} />
              <span class="quiet">
                <Line text={url.slice(path.length)} />
              </span>
            </span>
          </span>
          <span class="outcome">
            <Line text={outcome ?? problem ?? fault ?? 'no answer'} />
          </span>
          <span class="duration">{Math.round(duration)} ms</span>
          {(reason !== '' || deviations > 0) && (
            <span class="flaws">
              {violations.length > 0 && (
                <span class={`flaw ${isExpected ? 'expected' : violations[0]?.basis}`}>
                  {counted(violations.length, 'violation')}
                  {isExpected && ', expected'}
                </span>
              )}
              {deviations > 0 && <span class="flaw deviation">{counted(deviations, 'deviation')}</span>}
              <Line text={reason} />
            </span>
          )}
        </a>
      </li>
    )
  }, [id, at, current])
}

function FirstRequest() {
  const { data } = useAdminQuery<{ path: string; token: string }>('examples/listCreditHistories', ['state'])
  const url = urlOfSandbox(sandboxHere)
  const texts = data && {
    'Base URL': url,
    Token: data.token,
    'A first request': `curl -H 'Authorization: Bearer ${data.token}' '${url}${data.path}'`,
  }
  return (
    <div class="nothing">
      <p>No requests yet. They appear here as they are answered.</p>
      {Object.entries(texts ?? {}).map(([name, text]) => (
        <section key={name} aria-label={name}>
          <p class="row copies">
            <strong>{name}</strong>
            <CopyButton name={`Copy ${name.toLowerCase()}`} text={text} />
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
