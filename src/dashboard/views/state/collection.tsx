import { useMemo } from 'preact/hooks'
import type { CollectionName } from '../../../../schemas/fixtures.js'
import { keyOf } from '../../../world/state/collections.js'
import { linkTo, useFilter } from '../../address.js'
import { useAdminQuery } from '../../admin-query.js'
import { textOf, visible } from '../../parts/code.js'
import { counted } from '../../parts/marks.js'
import { Problem } from '../../parts/problem.js'
import { useRows } from '../../parts/rows.js'
import { SearchBox } from '../../parts/search-box.js'
import type { StateRecord } from '../../shapes.js'
import { RecordPanel } from './record.js'

/** The last part of the address of a record that is yet to be written. */
const NEW = ''
/** Records that are drawn; others are found by the search. */
const MOST = 300
/** Columns that have room beside an open record. */
const MOST_BESIDE = 3
/** Characters of a value that a cell shows. */
const MOST_CHARACTERS = 120

interface Props {
  readonly name: CollectionName
  /** The key of the record that is open. */
  readonly open: string | undefined
}

/** The records of a collection, and one of them to edit. */
export function Collection({ name, open }: Props) {
  const { data, failure, refresh } = useAdminQuery<Readonly<Record<string, readonly StateRecord[]>>>(
    `state?collection=${encodeURIComponent(name)}`,
    ['state', 'mail'],
  )
  const [{ search, sort }, set] = useFilter({ search: '', sort: '' }, open)
  const records = data?.[name]
  const texts = useMemo(() => records?.map((one) => JSON.stringify(one).toLowerCase()), [records])
  const found = useMemo(() => {
    const matching = records?.filter((_, at) => texts?.[at]?.includes(search.toLowerCase())) ?? []
    return sortRecords(matching, sort)
  }, [records, search, sort])
  const columns = useMemo(() => [...new Set(records?.slice(0, 50).flatMap(Object.keys))], [records])
  return (
    <div class={open === undefined ? 'split' : 'split opened'}>
      <section class="list" aria-labelledby="collection-title">
        <header>
          <h2 id="collection-title">{name}</h2>
          <a class="button" href={linkTo('state', name, NEW)}>
            Add a record
          </a>
        </header>
        <search class="filters">
          <SearchBox label={`Search ${name}`} value={search} set={(text) => set({ search: text })} />
        </search>
        <Problem failure={failure} />
        {records && (
          <p class="quiet count" role="status">
            {search !== '' && `${found.length.toLocaleString()} of `}
            {counted(records.length, 'record')}
            {found.length > MOST && `: the first ${MOST} are shown; search for others`}
          </p>
        )}
        {records && search !== '' && found.length === 0 && (
          <div class="nothing">
            <p>No record has this text.</p>
            <button type="button" onClick={() => set({ search: '' })}>
              Clear filters
            </button>
          </div>
        )}
        {found.length > 0 && (
          <Table
            collection={name}
            records={found.slice(0, MOST)}
            columns={open === undefined ? columns : columns.slice(0, MOST_BESIDE)}
            open={open}
            sort={sort}
            setSort={(column) => set({ sort: column })}
          />
        )}
      </section>
      {open !== undefined && records && (
        <RecordPanel
          key={open}
          collection={name}
          record={records.find((one) => keyOf(name, one) === open || one.uuid === open)}
          records={records}
          of={open}
          refresh={refresh}
        />
      )}
    </div>
  )
}

interface TableProps {
  readonly collection: CollectionName
  readonly records: readonly StateRecord[]
  readonly columns: readonly string[]
  readonly open: string | undefined
  /** A column; with `-` before it, from the last to the first. */
  readonly sort: string
  readonly setSort: (sort: string) => void
}

function Table({ collection, records, columns, open, sort, setSort }: TableProps) {
  const rows = useRows<HTMLTableSectionElement>(open, records.length)
  const directionOf = (column: string) =>
    sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="scroll" aria-label={`Records of ${collection}`} tabIndex={0}>
      <table class="records">
        <thead>
          <tr>
            <th scope="col">record</th>
            {columns.map((column) => (
              <th key={column} scope="col" aria-sort={directionOf(column)}>
                <button type="button" class="link" onClick={() => setSort(nextSort(column, sort))}>
                  {column}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={rows}>
          {records.map((record) => {
            const key = keyOf(collection, record)
            const link = linkTo('state', collection, key)
            return (
              // The link is for the keyboard; the rest of the row does the same.
              <tr
                key={key}
                onClick={({ target }) => {
                  if (!(target as Element).closest('a') && getSelection()?.isCollapsed) location.hash = link
                }}
              >
                <th scope="row">
                  <a href={link} aria-current={key === open ? 'true' : undefined} aria-label={`Edit ${key}`}>
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
          })}
        </tbody>
      </table>
    </section>
  )
}

/** Another click turns the order round; a third one gives back that of the server. */
function nextSort(column: string, sort: string): string {
  if (sort === column) return `-${column}`
  return sort === `-${column}` ? '' : column
}

function sortRecords(records: readonly StateRecord[], sort: string): readonly StateRecord[] {
  if (sort === '') return records
  const column = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  return [...records].sort((a, b) => sign * compare(a[column], b[column]))
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return textOf(a ?? '').localeCompare(textOf(b ?? ''), undefined, { numeric: true })
}

function cell(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return visible(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text)
}
