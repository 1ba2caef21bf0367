import { useState } from 'preact/hooks'
import type { CollectionName } from '../../../../schemas/fixtures.js'
import { jsonOr } from '../../../text/json.js'
import { keyOf, references } from '../../../world/state/collections.js'
import { linkTo } from '../../address.js'
import { call } from '../../api.js'
import { useDraft } from '../../drafts.js'
import { useAct } from '../../parts/act.js'
import { Action } from '../../parts/action.js'
import { visible } from '../../parts/code.js'
import { DraftNote } from '../../parts/draft-note.js'
import { Gone, Panel } from '../../parts/panel.js'
import { Problem } from '../../parts/problem.js'
import { TextEditor } from '../../parts/text-editor.js'
import type { StateRecord } from '../../shapes.js'
import { offerUndo } from '../../undo.js'
import { newRecord } from './new-record.js'

interface Props {
  readonly collection: CollectionName
  /** The key of the record, empty for a new one. */
  readonly of: string
  readonly record: StateRecord | undefined
  /** All records of the collection. */
  readonly records: readonly StateRecord[]
  readonly refresh: () => void
}

/** One record, to be edited as JSON, and removed. */
export function RecordPanel({ collection, of, record, records, refresh }: Props) {
  const isNew = of === ''
  const [begun] = useState(() => newRecord(collection, records))
  const kept = useDraft(`${collection}/${of}`, JSON.stringify(isNew ? begun : record, null, 2) ?? '')
  // What a new one begins with may change.
  const draft = isNew ? { ...kept, isOutrun: false } : kept
  const { run, busy, failure, forget } = useAct()
  const [saved, setSaved] = useState(false)
  const edited = jsonOr(draft.value, undefined) as StateRecord | undefined
  const key = keyIn(collection, edited)
  const replaced = key === of || key === undefined ? undefined : records.find((one) => keyOf(collection, one) === key)

  const save = () =>
    run(async () => {
      await putRecord(collection, draft.value)
      const lost = replaced ?? (key === of ? record : undefined)
      if (lost !== undefined)
        offerUndo({
          done: `${collection}/${key} ${replaced === undefined ? 'changed' : 'replaced'}`,
          undo: () => putRecord(collection, JSON.stringify(lost)).then(refresh),
        })
      draft.discard()
      setSaved(true)
      refresh()
      if (key !== undefined) location.hash = linkTo('state', collection, key)
    })
  const remove = async () => {
    await call(`state/${collection}/${encodeURIComponent(of)}`, { method: 'DELETE' })
    draft.discard()
    if (record !== undefined)
      offerUndo({
        done: `${collection}/${of} deleted`,
        undo: () => insertRecord(collection, record, records.indexOf(record)).then(refresh),
      })
    location.hash = linkTo('state', collection)
    refresh()
  }
  if (!isNew && record === undefined && !draft.isDraft) {
    return (
      <Panel title="Record" of={of} back={['state', collection]}>
        <Gone back={['state', collection]}>
          There is no record <bdi>{of}</bdi> in {collection}.
        </Gone>
      </Panel>
    )
  }
  return (
    <Panel
      title={
        <>
          {isNew ? `New record of ${collection}` : <bdi>{visible(of)}</bdi>}
          {draft.isDraft && <span class="badge draft">draft</span>}
        </>
      }
      of={of}
      back={['state', collection]}
    >
      <form
        class="write"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {isNew && records.length > 0 && <p class="quiet">This is a copy of the first record, with a key of its own.</p>}
        {!isNew && key !== undefined && key !== of && (
          <p class="draft-note" role="status">
            {replaced === undefined
              ? `The key has changed: saving makes another record, ${visible(key)}, and ${visible(of)} stays as it is.`
              : `There is a record ${visible(key)} already: saving replaces it.`}
          </p>
        )}
        <TextEditor
          label="Record (JSON)"
          text={draft.value}
          // The record stands on the lines below the first of what is sent.
          complaints={(failure?.complaints ?? []).map((one) => ({ ...one, line: one.line && one.line - 1 }))}
          set={(text) => {
            draft.set(text)
            setSaved(false)
            forget()
          }}
        />
        {failure?.complaints.length === 0 && <Problem failure={failure} />}
        <References collection={collection} of={edited} />
        <DraftNote draft={draft} />
        <p class="buttons">
          <button type="submit" class="go" aria-busy={busy}>
            {draft.isOutrun ? 'Save over it' : 'Save'}
          </button>
          {!isNew && (
            <Action kind="danger" call={remove}>
              Delete
            </Action>
          )}
          <span role="status">{saved && 'Saved'}</span>
        </p>
      </form>
    </Panel>
  )
}

/** Leads to the records that a record refers to. */
function References({ collection, of }: { readonly collection: string; readonly of: StateRecord | undefined }) {
  const found = references.filter(({ from, field }) => from === collection && of?.[field] !== undefined)
  if (found.length === 0) return null
  return (
    <p class="marks quiet">
      Refers to
      {found.map(({ field, to }) => (
        <a key={field} href={linkTo('state', to, String(of?.[field]))}>{`${to}/${of?.[field]}`}</a>
      ))}
    </p>
  )
}

/** Puts a record over the one of its key, and has the server tell the places of mistakes in its text. */
function putRecord(collection: string, text: string): Promise<unknown> {
  return call('state', { method: 'PATCH', text: `{"${collection}": [\n${text}\n]}` })
}

/** Puts a record back in its place among the others. */
async function insertRecord(collection: string, record: StateRecord, at: number): Promise<unknown> {
  const state = await call<Readonly<Record<string, readonly StateRecord[]>>>('state')
  return call('state', { method: 'PUT', body: { ...state, [collection]: state[collection]?.toSpliced(at, 0, record) } })
}

/** The key of what may be no record yet. */
function keyIn(collection: CollectionName, record: StateRecord | undefined): string | undefined {
  try {
    return record && keyOf(collection, record)
  } catch {
    return undefined
  }
}
