import { useRef } from 'preact/hooks'
import type { ExchangeSummary } from '../../world/journal/entry.js'
import { type Address, useFilter } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { call } from '../api.js'
import { Action } from '../parts/action.js'
import { ListView } from '../parts/list-view.js'
import { counted } from '../parts/marks.js'
import { ExchangePanel } from './requests/exchange.js'
import { FirstRequest } from './requests/first-request.js'
import { ExchangeRow } from './requests/row.js'

/** Exchanges that are listed. */
const MOST = 1_000

const PATH = `requests?format=summary&limit=${MOST}`
const EVERYTHING = { operation: '', status: '', violations: '', search: '' }
type Journal = { readonly requests: readonly ExchangeSummary[] }

/** The journal, live; one exchange opens beside it. */
export function Requests({ address: [open] }: { readonly address: Address }) {
  const [filter, set] = useFilter(EVERYTHING, open)
  const journal = useAdminQuery<Journal>(PATH, ['exchanges', 'journal'])
  const all = journal.data?.requests ?? []
  const worded = useWorded(filter.search) ?? all
  const found = worded.filter(
    (exchange) =>
      (filter.operation === '' || operationOf(exchange) === filter.operation) &&
      (filter.status === '' || statusOf(exchange) === filter.status) &&
      (filter.violations === '' || exchange.violations.length > 0),
  )
  const clear = () => call('requests', { method: 'DELETE' })
  return (
    <ListView
      title="Requests"
      open={open}
      kind="exchanges"
      failure={journal.failure}
      actions={
        <Action call={clear} ask={`Delete ${counted(all.length, 'exchange')} from the journal?`}>
          Clear
        </Action>
      }
      search={filter.search}
      setSearch={(search) => set({ search })}
      filters={
        <>
          <Choice
            label="Operation"
            value={filter.operation}
            values={all.map(operationOf)}
            set={(operation) => set({ operation })}
          />
          <Choice label="Status" value={filter.status} values={all.map(statusOf)} set={(status) => set({ status })} />
          <label class="check">
            <input
              type="checkbox"
              checked={filter.violations !== ''}
              onChange={({ currentTarget }) => set({ violations: currentTarget.checked ? 'true' : '' })}
            />
            Only with violations
          </label>
        </>
      }
      rows={found.map((one) => <ExchangeRow key={one.id} exchange={one} current={one.id === open} />)}
      panel={open && <ExchangePanel id={open} />}
    >
      <p class="quiet count">
        {found.length < all.length && `${found.length} of `}
        {counted(all.length, 'exchange')}
        {all.length === MOST && ': the newest; older ones are not shown'}
      </p>
      {journal.data && all.length === 0 && <FirstRequest />}
      {all.length > 0 && found.length === 0 && (
        <div class="nothing">
          <p>No request fits the filters.</p>
          <button type="button" onClick={() => set(EVERYTHING)}>
            Clear filters
          </button>
        </div>
      )}
    </ListView>
  )
}

/** The exchanges that have some words, which the server looks for in bodies too; what it found before while it looks. */
function useWorded(words: string): Journal['requests'] | undefined {
  const path = words.trim() === '' ? undefined : `${PATH}&search=${encodeURIComponent(words)}`
  const { data } = useAdminQuery<Journal>(path, ['exchanges', 'journal'])
  const last = useRef(data)
  last.current = path === undefined ? undefined : (data ?? last.current)
  return last.current?.requests
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly values: readonly string[]
  readonly set: (value: string) => void
}

/** Offers what there is, and what is chosen even if it has gone. */
function Choice({ label, value, values, set }: ChoiceProps) {
  const choices = [...new Set(value === '' ? values : [...values, value])].sort()
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <option value="">{`${label}: any`}</option>
      {choices.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  )
}

const operationOf = ({ operation }: ExchangeSummary) => operation ?? 'unmatched'
const statusOf = ({ status }: ExchangeSummary) => (status === null ? 'fault' : String(status))
