import { useEffect, useRef, useState } from 'preact/hooks'
import { linkTo } from '../../address.js'
import { visible } from '../../parts/code.js'
import { counted } from '../../parts/marks.js'
import type { StateRecord } from '../../shapes.js'
import { keyOf } from './key.js'

/** Rows that are drawn at first, and more of them each time the end is reached. */
const STEP = 100
/** Records that the columns are found in. */
const LOOKED_AT = 50
/** Characters of a value that a cell shows. */
const MOST = 120

interface Props {
  readonly collection: string
  readonly records: readonly StateRecord[]
  readonly open: string | undefined
}

/** A table of records, drawn as far as somebody looks. */
export function Records({ collection, records, open }: Props) {
  const [drawn, draw] = useState(STEP)
  const columns = [...new Set(records.slice(0, LOOKED_AT).flatMap(Object.keys))]
  const left = records.length - drawn
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
            {records.slice(0, drawn).map((record) => (
              <Row
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
      {left > 0 && <More left={left} show={() => draw(drawn + STEP)} />}
    </>
  )
}

interface RowProps {
  readonly collection: string
  readonly record: StateRecord
  readonly columns: readonly string[]
  readonly open: string | undefined
}

function Row({ collection, record, columns, open }: RowProps) {
  const key = keyOf(collection, record)
  return (
    <tr>
      <th scope="row">
        <a
          href={linkTo('state', collection, key)}
          aria-current={key === open ? 'true' : undefined}
          aria-label={`Edit ${key}`}
        >
          Edit
        </a>
      </th>
      {columns.map((column) => (
        <td key={column}>
          <bdi>{cell(record[column])}</bdi>
        </td>
      ))}
    </tr>
  )
}

function cell(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return visible(text.length > MOST ? `${text.slice(0, MOST)} …` : text)
}

/** Draws more as soon as it is seen; by hand where it is not. */
function More({ left, show }: { readonly left: number; readonly show: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && show())
    if (button.current !== null) observer.observe(button.current)
    return () => observer.disconnect()
  })
  return (
    <p>
      <button type="button" ref={button} onClick={show}>
        Show more
      </button>{' '}
      <span class="quiet">{counted(left, 'record')} more</span>
    </p>
  )
}
