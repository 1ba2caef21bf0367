import { useMemo, useState } from 'preact/hooks'
import type { CollectionName } from '../../../../schemas/fixtures.js'
import { keyOf } from '../../../world/state/collections.js'
import { textOf } from '../../parts/code.js'
import type { StateRecord } from '../../shapes.js'
import { More, PAGE, Pages } from './more.js'
import { RecordRow } from './row.js'

/** Rows that are drawn at first, and more of them each time the end is reached. */
const STEP = 100
/** Records that the columns are found in. */
const LOOKED_AT = 50

interface Props {
  readonly collection: CollectionName
  readonly records: readonly StateRecord[]
  readonly open: string | undefined
}

/** A table of records, drawn as far as somebody looks. */
export function Records({ collection, records: unsorted, open }: Props) {
  const [order, sort] = useState<Order>()
  const records = useMemo(() => sorted(unsorted, order), [unsorted, order])
  const [place, draw] = useState({ from: 0, drawn: STEP })
  // Records may have gone meanwhile.
  const { from, drawn } = place.from < records.length ? place : { from: 0, drawn: STEP }
  const columns = useMemo(() => [...new Set(unsorted.slice(0, LOOKED_AT).flatMap(Object.keys))], [unsorted])
  const left = records.length - from - drawn
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="scroll" aria-label={`Records of ${collection}`} tabIndex={0}>
        <table class="records">
          <thead>
            <tr>
              <th scope="col">record</th>
              {columns.map((column) => (
                <th key={column} scope="col" aria-sort={order?.column === column ? order.direction : undefined}>
                  <button type="button" class="sort" onClick={() => sort(nextOrder(column, order))}>
                    {column}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.slice(from, from + drawn).map((record) => (
              <RecordRow
                key={keyOf(collection, record)}
                collection={collection}
                record={record}
                columns={columns}
                open={open}
              />
            ))}
          </tbody>
        </table>
      </section>
      {drawn < PAGE && left > 0 && <More left={left} show={() => draw({ from, drawn: drawn + STEP })} />}
      {records.length > PAGE && drawn >= PAGE && (
        <Pages from={from} of={records.length} turn={(next) => draw({ from: next, drawn: PAGE })} />
      )}
    </>
  )
}

/** By which column records are sorted. */
interface Order {
  readonly column: string
  readonly direction: 'ascending' | 'descending'
}

/** Another click turns the order round; a third one gives back that of the server. */
function nextOrder(column: string, order: Order | undefined): Order | undefined {
  if (order?.column !== column) return { column, direction: 'ascending' }
  return order.direction === 'ascending' ? { column, direction: 'descending' } : undefined
}

function sorted(records: readonly StateRecord[], order: Order | undefined): readonly StateRecord[] {
  if (order === undefined) return records
  const sign = order.direction === 'ascending' ? 1 : -1
  return [...records].sort((a, b) => sign * compare(a[order.column], b[order.column]))
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return textOf(a ?? '').localeCompare(textOf(b ?? ''), undefined, { numeric: true })
}
