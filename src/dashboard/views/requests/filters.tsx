import { useEffect, useState } from 'preact/hooks'
import type { ExchangeSummary } from '../../../world/journal/summary.js'
import { readQuery, writeQuery } from '../../address.js'
import { SearchBox } from '../../parts/search-box.js'

/** Which exchanges are shown; an empty text stands for any. */
export interface Filter {
  readonly operation: string
  readonly status: string
  readonly violations: boolean
  readonly text: string
}

export const EVERYTHING: Filter = { operation: '', status: '', violations: false, text: '' }
/** Stands for no operation. */
const UNMATCHED = 'unmatched'
const FAULT = 'fault'

/** The filter stands in the address as well: after a reload, for a colleague, and when one comes back. */
export function useFilter(open: string | undefined): readonly [Filter, (filter: Filter) => void] {
  const [filter, set] = useState(() => fromQuery(readQuery()))
  useEffect(() => {
    const changed = () => {
      // A link to an exchange has none: the list stays as it is.
      if (readQuery().toString() !== '') set(fromQuery(readQuery()))
    }
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  useEffect(() => writeQuery(asQuery(filter)), [filter, open])
  return [filter, set]
}

function fromQuery(query: URLSearchParams): Filter {
  const text = (name: string) => query.get(name) ?? ''
  return {
    operation: text('operation'),
    status: text('status'),
    violations: query.has('violations'),
    text: text('search'),
  }
}

function asQuery({ operation, status, violations, text }: Filter): URLSearchParams {
  const given = Object.entries({ operation, status, violations: violations ? 'true' : '', search: text })
  return new URLSearchParams(given.filter(([, value]) => value !== ''))
}

interface Props {
  readonly filter: Filter
  readonly set: (filter: Filter) => void
  readonly exchanges: readonly ExchangeSummary[]
}

export function Filters({ filter, set, exchanges }: Props) {
  return (
    <search class="filters">
      <SearchBox label="Search requests" value={filter.text} set={(text) => set({ ...filter, text })} />
      <Choice
        label="Operation"
        value={filter.operation}
        values={choices(exchanges.map(operationOf), filter.operation)}
        set={(operation) => set({ ...filter, operation })}
      />
      <Choice
        label="Status"
        value={filter.status}
        values={choices(exchanges.map(statusOf), filter.status)}
        set={(status) => set({ ...filter, status })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={filter.violations}
          onChange={({ currentTarget }) => set({ ...filter, violations: currentTarget.checked })}
        />
        Only with violations
      </label>
    </search>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly values: readonly string[]
  readonly set: (value: string) => void
}

function Choice({ label, value, values, set }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <option value="">{`${label}: any`}</option>
      {values.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  )
}

/** What can be chosen: what there is, and what is chosen though there is no more of it. */
function choices(values: readonly string[], chosen: string): readonly string[] {
  const all = new Set(values)
  if (chosen !== '') all.add(chosen)
  return [...all].sort()
}

/** Whether the filter lets an exchange through; its words are the server's matter. */
export function matching({ operation, status, violations }: Filter): (exchange: ExchangeSummary) => boolean {
  return (exchange) =>
    (operation === '' || operationOf(exchange) === operation) &&
    (status === '' || statusOf(exchange) === status) &&
    (!violations || exchange.violations.length > 0)
}

function operationOf({ operation }: ExchangeSummary): string {
  return operation ?? UNMATCHED
}

function statusOf({ status }: ExchangeSummary): string {
  return status === null ? FAULT : String(status)
}
