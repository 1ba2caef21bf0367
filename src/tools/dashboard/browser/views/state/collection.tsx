import { useMemo } from 'preact/hooks'
import type { CollectionName } from '../../../../../api/records.js'
import { keyOf } from '../../../../../engine/files/collections.js'
import { linkTo, useFilter } from '../../address.js'
import { useAdminQuery } from '../../admin-query.js'
import { firstOf, ListView } from '../../parts/list-view.js'
import { useRows } from '../../parts/rows.js'
import { counted, visible } from '../../parts/texts.js'
import type { StateRecord } from './new-record.js'
import { RecordPanel } from './record.js'

const MOST_BESIDE = 3
const MOST_CHARACTERS = 120

/** `open` is the key of the open record, empty for a new one. */
export function Collection({ name, open }: { readonly name: CollectionName; readonly open: string | undefined }) {
  const path = `state?collection=${encodeURIComponent(name)}`
  const { data, failure } = useAdminQuery<Readonly<Record<string, StateRecord[]>>>(path, ['state'])
  const [{ search, sort }, set] = useFilter(['search', 'sort'], open)
  const records = data?.[name] ?? []
  const found = useMemo(
    () =>
      sortRecords(
        records.filter((one) => JSON.stringify(one).toLowerCase().includes(search.toLowerCase())),
        sort,
      ),
    [data, search, sort],
  )
  const [shown, more] = firstOf(found)
  return (
    <ListView
      title={name}
      heading="h2"
      failure={failure}
      actions={
        <a class="button" href={linkTo('state', name, '')}>
          Add a record
        </a>
      }
      search={search}
      setSearch={(text) => set({ search: text })}
      panel={open !== undefined && data && <RecordPanel key={open} collection={name} of={open} records={records} />}
    >
      {data && (
        <p class="quiet count" role="status">
          {search !== '' && `${found.length.toLocaleString()} of `}
          {counted(records.length, 'record')}
        </p>
      )}
      {more}
      {shown.length > 0 && (
        <Table collection={name} records={shown} open={open} sort={sort} setSort={(column) => set({ sort: column })} />
      )}
    </ListView>
  )
}

interface TableProps {
  readonly collection: CollectionName
  readonly records: readonly StateRecord[]
  readonly open: string | undefined
  /** A column; with `-` before it, in descending order. */
  readonly sort: string
  readonly setSort: (sort: string) => void
}

function Table({ collection, records, open, sort, setSort }: TableProps) {
  const rows = useRows<HTMLTableSectionElement>(open, records.length)
  const columns = columnsOf(records).slice(0, open === undefined ? undefined : MOST_BESIDE)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="scroll" aria-label={`Records of ${collection}`} tabIndex={0}>
      <table class="records">
        <thead>
          <tr>
            <th scope="col">record</th>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                aria-sort={sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined}
              >
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
            const isOpen = open !== undefined && (open === key || open === record.uuid)
            return (
              // The link is for the keyboard; a click anywhere in the row does the same.
              <tr
                key={key}
                onClick={({ target }) => {
                  if (!(target as Element).closest('a') && getSelection()?.isCollapsed) location.hash = link
                }}
              >
                <th scope="row">
                  <a href={link} aria-current={isOpen ? 'true' : undefined} aria-label={`Edit ${key}`}>
                    Edit
                  </a>
                </th>
                {columns.map((column) => (
                  <Cell key={column} text={textOf(record[column])} />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** A UUID is drawn short, but hovered and copied whole. */
function Cell({ text }: { readonly text: string }) {
  const shown = visible(text.slice(0, MOST_CHARACTERS))
  return (
    <td class={UUID.test(text) ? 'uuid' : ''} title={shown}>
      <bdi>{shown}</bdi>
    </td>
  )
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const NAMING = /name|mail|title|code|number/

/** Those that name a record for people before those that only identify it. */
function columnsOf(records: readonly StateRecord[]): readonly string[] {
  const rankOf = (column: string) => {
    if (records.some((one) => UUID.test(textOf(one[column])))) return 3
    return column === 'id' ? 0 : NAMING.test(column) ? 1 : 2
  }
  return [...new Set(records.flatMap(Object.keys))].sort((a, b) => rankOf(a) - rankOf(b))
}

/** Ascending, descending, then the server's order again. */
function nextSort(column: string, sort: string): string {
  if (sort === column) return `-${column}`
  return sort === `-${column}` ? '' : column
}

const { compare } = new Intl.Collator(undefined, { numeric: true })

function sortRecords(records: readonly StateRecord[], sort: string): readonly StateRecord[] {
  if (sort === '') return records
  const column = sort.replace(/^-/, '')
  const sorted = [...records].sort((a, b) => compare(textOf(a[column]), textOf(b[column])))
  return sort === column ? sorted : sorted.reverse()
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
