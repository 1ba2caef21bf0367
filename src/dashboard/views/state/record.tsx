import { useState } from 'preact/hooks'
import type { CollectionName } from '../../../../schemas/fixtures.js'
import { jsonOr } from '../../../text/json.js'
import { keyOf } from '../../../world/state/collections.js'
import { linkTo } from '../../address.js'
import { call, type Failure } from '../../api.js'
import { useDraft } from '../../drafts.js'
import { useAct } from '../../parts/act.js'
import { Action } from '../../parts/action.js'
import { visible } from '../../parts/code.js'
import { ComplaintList } from '../../parts/complaint-list.js'
import { DraftNote } from '../../parts/draft-note.js'
import { Panel } from '../../parts/panel.js'
import { Problem } from '../../parts/problem.js'
import type { StateRecord } from '../../shapes.js'
import { offerUndo } from '../../undo.js'
import { RecordFields } from './record-fields.js'

interface Props {
  readonly collection: CollectionName
  /** The key of the record, empty for a new one. */
  readonly of: string
  readonly record: StateRecord | undefined
  /** All records of the collection; a new one begins as the first. */
  readonly records: readonly StateRecord[]
  readonly refresh: () => void
}

/** One record, to be edited by its fields or as JSON, and removed. */
export function RecordPanel({ collection, of, record, records, refresh }: Props) {
  const isNew = of === ''
  const [example] = records
  const stored = JSON.stringify(isNew ? (example ?? {}) : record, null, 2) ?? ''
  const kept = useDraft(`${collection}/${of}`, stored)
  // What a new one begins as may change as it likes.
  const draft = isNew ? { ...kept, isOutrun: false } : kept
  const [asJson, setAsJson] = useState(false)
  const { run, busy, failure, forget } = useAct()
  const [saved, setSaved] = useState(false)
  const edited = objectIn(draft.value)
  const key = edited && keyIn(collection, edited)
  const replaced = key === of || key === undefined ? undefined : records.find((one) => keyOf(collection, one) === key)

  const write = (text: string) => {
    draft.set(text)
    setSaved(false)
    forget()
  }
  const save = () =>
    run(async () => {
      await putRecord(collection, draft.value)
      if (replaced !== undefined) offerBack(`${key} replaced`, replaced)
      else if (key === of && record !== undefined) offerBack(`${of} changed`, record)
      draft.discard()
      setSaved(true)
      refresh()
      if (key !== undefined) location.hash = linkTo('state', collection, key)
    })
  const offerBack = (done: string, lost: StateRecord) =>
    offerUndo({
      done: `${collection}/${done}`,
      undo: () => putRecord(collection, JSON.stringify(lost)).then(refresh),
    })
  const remove = async () => {
    await call(`state/${collection}/${encodeURIComponent(of)}`, { method: 'DELETE' })
    draft.discard()
    if (record !== undefined) offerBack(`${of} deleted`, record)
    location.hash = linkTo('state', collection)
    refresh()
  }
  if (!isNew && record === undefined && !draft.isDraft) {
    return (
      <Panel title="Record" of={of} back={['state', collection]}>
        <p class="nothing" role="status">
          There is no record <bdi>{of}</bdi> in {collection}. <a href={linkTo('state', collection)}>Back to the list</a>
        </p>
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
        class="record"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {isNew && example !== undefined && (
          <p class="quiet">This is a copy of the first record. Give it its own key.</p>
        )}
        {replaced !== undefined && (
          <p class="key-note" role="status">
            There is a record <bdi>{visible(key ?? '')}</bdi> already: saving replaces it.
          </p>
        )}
        {!isNew && key !== undefined && key !== of && replaced === undefined && (
          <p class="key-note" role="status">
            The key is another one now: saving makes another record, <bdi>{visible(key)}</bdi>, and{' '}
            <bdi>{visible(of)}</bdi> stays as it is.
          </p>
        )}
        <p class="buttons">
          <button type="button" class="small" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
            Edit as JSON
          </button>
        </p>
        {asJson || edited === undefined ? (
          <RecordText text={draft.value} failure={failure} set={write} />
        ) : (
          <RecordFields
            collection={collection}
            record={edited}
            complaints={failure?.complaints ?? []}
            set={(changed) => write(JSON.stringify(changed, null, 2))}
          />
        )}
        {failure?.complaints.length === 0 && <Problem failure={failure} />}
        <DraftNote draft={draft} />
        <p class="buttons">
          <button type="submit" class="go" aria-busy={busy}>
            {draft.isOutrun ? 'Save over it' : 'Save'}
          </button>{' '}
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

interface TextProps {
  readonly text: string
  readonly failure: Failure | undefined
  readonly set: (text: string) => void
}

function RecordText({ text, failure, set }: TextProps) {
  return (
    <>
      <label class="field">
        Record (JSON)
        <textarea
          rows={Math.min(24, Math.max(8, text.split('\n').length + 1))}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      </label>
      {/* The record stands on the lines below the first of what is sent. */}
      <ComplaintList of={(failure?.complaints ?? []).map((one) => ({ ...one, line: one.line && one.line - 1 }))} />
    </>
  )
}

/** Puts a record over the one of its key, and has the server tell the places of mistakes in its text. */
function putRecord(collection: string, text: string): Promise<unknown> {
  return call('state', { method: 'PATCH', text: `{"${collection}": [\n${text}\n]}` })
}

function objectIn(text: string): StateRecord | undefined {
  const value = jsonOr(text, undefined)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as StateRecord) : undefined
}

/** The key of a record that may have none. */
function keyIn(collection: CollectionName, record: StateRecord): string | undefined {
  try {
    return keyOf(collection, record)
  } catch {
    return undefined
  }
}
