import { useMemo, useState } from 'preact/hooks'
import type { StateRecord } from '../../shapes.js'
import { keyOf } from './key.js'
import { More, PAGE, Pages } from './more.js'
import { RecordRow } from './row.js'

/** Rows that are drawn at first, and more of them each time the end is reached. */
const STEP = 100
/** Records that the columns are found in. */
const LOOKED_AT = 50

interface Props {
  readonly collection: string
  readonly records: readonly StateRecord[]
  readonly open: string | undefined
}

/** A table of records, drawn as far as somebody looks. */
export function Records({ collection, records, open }: Props) {
  const [place, draw] = useState({ from: 0, drawn: STEP })
  // Records may have gone meanwhile.
  const { from, drawn } = place.from < records.length ? place : { from: 0, drawn: STEP }
  const columns = useMemo(() => [...new Set(records.slice(0, LOOKED_AT).flatMap(Object.keys))], [records])
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
                <th key={column} scope="col">
                  {column}
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
