import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { flattenFields } from '../../../../engine/contract/json.js'
import { keyOf } from '../../../../engine/files/collections.js'
import type { ShownCollection } from '../../api-facts.js'
import { callAdmin, useAdminQuery } from '../admin.js'
import { apiFacts, currentSandbox, linkTo, useFilter } from '../page.js'
import { Button, confirm, Head, Problem, useAct } from '../parts/controls.js'
import { ListView, matches } from '../parts/list.js'
import { pluralize, reveal, textOf } from '../parts/texts.js'
import { hasName, RecordPanel, type StateRecord } from './record.js'

const MAX_RECORDS = 200
const MAX_COLUMNS_BESIDE_PANEL = 3
const LONGEST_CELL = 120

/** With an empty key, the address opens the form for a new record. */
export function State({ address: [named, open] }: { readonly address: readonly string[] }) {
  // Records may change as time passes, as an invitation that is accepted after a while.
  const { data, failure } = useAdminQuery<{ counts: Record<string, number> }>('state?counts', ['state'], 2_000)
  const counts = Object.entries(data?.counts ?? {})
  const name = named || counts[0]?.[0]
  if (name === undefined) return <Problem failure={failure} />
  const links = counts.map(([one, count]) => (
    <a key={one} href={`${linkTo('state', one)}?search=`} aria-current={one === name ? 'true' : undefined}>
      {one} <span class="quiet">{count.toLocaleString()}</span>
    </a>
  ))
  return <Collection key={name} name={name} open={open} links={links} />
}

function Collection({ name, open, links }: { name: string; open: string | undefined; links: ComponentChildren }) {
  const path = `state?collection=${encodeURIComponent(name)}`
  const { data, failure } = useAdminQuery<Readonly<Record<string, StateRecord[]>>>(path, ['state'])
  const [{ search }, set] = useFilter({ search: '' })
  const unknown = { name, key: [], unique: [], references: {}, fields: [] }
  const collection = apiFacts.collections.find((one) => one.name === name) ?? unknown
  const records = data?.[name] ?? []
  const found = records.filter((one) => flattenFields(one).some(([, text]) => matches(text, search)))
  const actions = (
    <>
      <a class="button" href={linkTo('state', name, '')}>
        Add a record
      </a>
      <Transfer />
    </>
  )
  const filters = <nav aria-label="Collections">{links}</nav>
  const panel = open !== undefined && data && <RecordPanel key={open} of={open} {...{ collection, records }} />
  return (
    <ListView title="State" rowCount={found.length} {...{ open, search, set, actions, filters, failure, panel }}>
      {data && (
        <p class="quiet count" role="status">
          {search !== '' && `${found.length.toLocaleString()} of `}
          {pluralize(records.length, 'record')}
          {found.length > MAX_RECORDS && `. The first ${MAX_RECORDS} are shown; search for others.`}
        </p>
      )}
      {found.length > 0 && <Table records={found.slice(0, MAX_RECORDS)} {...{ collection, open }} />}
    </ListView>
  )
}

function Transfer() {
  const input = useRef<HTMLInputElement>(null)
  const { run, busy, failure } = useAct()
  const upload = async (chosen: HTMLInputElement) => {
    const file = chosen.files?.[0]
    if (file === undefined) return
    if (await confirm(`Replace the whole state with ${file.name}?`, 'Replace'))
      await run(async () => callAdmin('PUT', 'state', await file.text()))
    // Allows choosing the same file again.
    chosen.value = ''
  }
  const name = `fixtures${currentSandbox === undefined ? '' : `-${currentSandbox}`}.json`
  return (
    <>
      <a class="button" href="state" download={name}>
        Download
      </a>
      <Button label="Upload" aria-busy={busy} act={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,.yaml,.yml"
        onChange={(event) => upload(event.currentTarget)}
      />
      <Problem failure={failure} />
    </>
  )
}

function Table({ collection, records, open }: { collection: ShownCollection; records: StateRecord[]; open?: string }) {
  const columns = columnsOf(records).slice(0, open === undefined ? undefined : MAX_COLUMNS_BESIDE_PANEL)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section class="scroll" aria-label={`Records of ${collection.name}`} tabIndex={0}>
      <table class="records">
        <Head of={['record', ...columns]} />
        <tbody>
          {records.map((record) => {
            const key = keyOf(collection, record)
            const to = linkTo('state', collection.name, key)
            const isOpen = open !== undefined && hasName(collection, record, open)
            // Keyboard users have the link.
            const onClick = ({ target }: MouseEvent) => {
              if (!(target as Element).closest('a') && getSelection()?.isCollapsed) location.hash = to
            }
            return (
              <tr key={key} onClick={onClick}>
                <th scope="row">
                  <a href={to} aria-current={isOpen ? 'true' : undefined} aria-label={`Edit ${key}`}>
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

/** UUIDs are cut on screen, but copied whole. */
function Cell({ text }: { readonly text: string }) {
  const shown = reveal(text.slice(0, LONGEST_CELL))
  return (
    <td class={UUID.test(text) ? 'uuid' : undefined} title={shown}>
      <bdi>{shown}</bdi>
    </td>
  )
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const NAMING = /name|mail|title|code|number/

/** Columns that people recognise come first. */
function columnsOf(records: readonly StateRecord[]): readonly string[] {
  const rankOf = (column: string) => {
    if (records.some((one) => UUID.test(textOf(one[column])))) return 3
    return column === 'id' ? 0 : NAMING.test(column) ? 1 : 2
  }
  return [...new Set(records.flatMap(Object.keys))].sort((a, b) => rankOf(a) - rankOf(b))
}
