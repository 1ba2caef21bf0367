import { useMemo, useState } from 'preact/hooks'
import type { CollectionName } from '../../../../schemas/fixtures.js'
import { keyOf } from '../../../world/state/collections.js'
import { linkTo } from '../../address.js'
import { useFresh } from '../../fresh.js'
import { counted } from '../../parts/marks.js'
import { Problem } from '../../parts/problem.js'
import { SearchBox } from '../../parts/search-box.js'
import type { StateRecord } from '../../shapes.js'
import { RecordPanel } from './record.js'
import { Records } from './records.js'

/** The last part of the address of a record that is yet to be written. */
const NEW = ''

interface Props {
  readonly name: CollectionName
  /** The key of the record that is open. */
  readonly open: string | undefined
}

/** The records of a collection, and one of them to edit. */
export function Collection({ name, open }: Props) {
  const { data, failure, refresh } = useFresh<Readonly<Record<string, readonly StateRecord[]>>>(
    `state?collection=${encodeURIComponent(name)}`,
    ['state', 'mail'],
  )
  const [text, search] = useState('')
  const records = data?.[name]
  const texts = useMemo(() => records?.map((one) => JSON.stringify(one).toLowerCase()), [records])
  const found = useMemo(
    () => records?.filter((_, at) => texts?.[at]?.includes(text.toLowerCase())) ?? [],
    [records, texts, text],
  )
  const record = useMemo(
    () => records?.find((one) => keyOf(name, one) === open || one.uuid === open),
    [records, name, open],
  )
  return (
    <div class={`split ${open !== undefined ? 'opened' : ''}`}>
      <section class="list" aria-labelledby="collection-title">
        <header>
          <h2 id="collection-title">{name}</h2>
          <a class="button" href={linkTo('state', name, NEW)}>
            Add a record
          </a>
        </header>
        <search class="filters">
          <SearchBox label={`Search ${name}`} value={text} set={search} />
        </search>
        <Problem failure={failure} />
        {records !== undefined && (
          <p class="quiet count" role="status">
            {text === ''
              ? counted(records.length, 'record')
              : `${found.length.toLocaleString()} of ${counted(records.length, 'record')}`}
          </p>
        )}
        {records !== undefined && text !== '' && found.length === 0 && (
          <div class="nothing">
            <p>No record has this text.</p>
            <button type="button" onClick={() => search('')}>
              Clear filters
            </button>
          </div>
        )}
        {found.length > 0 && <Records key={text} collection={name} records={found} open={open} />}
      </section>
      {open !== undefined && records !== undefined && (
        <RecordPanel key={open} collection={name} record={record} records={records} of={open} refresh={refresh} />
      )}
    </div>
  )
}
