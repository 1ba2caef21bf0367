import { useState } from 'preact/hooks'
import type { CollectionName } from '../../../../../api/records.js'
import { jsonOr } from '../../../../../engine/contract/json.js'
import { keyOf, references } from '../../../../../engine/files/collections.js'
import { linkTo } from '../../address.js'
import { CallError, callAdmin, get } from '../../api.js'
import { Action, Form, useAct } from '../../parts/controls.js'
import { DraftNote, useDraft } from '../../parts/drafts.js'
import { GonePanel, Panel } from '../../parts/panel.js'
import { SentBy } from '../../parts/sent-by.js'
import { TextEditor } from '../../parts/text-editor.js'
import { visible } from '../../parts/texts.js'
import { offerUndo } from '../../parts/undo.js'
import { fieldName, leavesOf, RecordFields, splitComplaints } from './fields.js'
import { newRecord, type StateRecord } from './new-record.js'

interface RecordPanelProps {
  readonly collection: CollectionName
  /** The key of the record; empty for a new one. */
  readonly of: string
  readonly records: readonly StateRecord[]
}

export function RecordPanel({ collection, of, records }: RecordPanelProps) {
  const isNew = of === ''
  const back = linkTo('state', collection)
  const find = (key: string) => records.find((one) => keyOf(collection, one) === key || one.uuid === key)
  const record = find(of)
  const [begun] = useState(() => newRecord(collection, records))
  const kept = useDraft(`${collection}/${of}`, JSON.stringify(isNew ? begun : record, null, 2) ?? '')
  // The initial text of a new record may change.
  const draft = { ...kept, isOutrun: kept.isOutrun && !isNew }
  const { run, busy, failure } = useAct()
  const [isSaved, setSaved] = useState(false)
  const edited = jsonOr(draft.value, undefined) as StateRecord | undefined
  const key = keyIn(collection, edited)
  const replaced = find(key)
  const isRenamed = !isNew && key !== '' && replaced !== record
  const names = edited === undefined ? [] : leavesOf(edited).map(({ path }) => fieldName(path))
  const [atFields, others] = splitComplaints(failure?.complaints ?? [], `${collection}[0].`, names)
  const set = (text: string) => {
    draft.set(text)
    setSaved(false)
  }
  const save = () =>
    run(async () => {
      await putRecord(collection, draft.value)
      if (replaced !== undefined) {
        offerUndo({
          done: `${collection}/${key} ${replaced === record ? 'changed' : 'replaced'}`,
          undo: () => putRecord(collection, JSON.stringify(replaced)).then(draft.settle),
        })
      }
      draft.saved()
      setSaved(true)
      if (key !== '') location.hash = linkTo('state', collection, key)
    })
  const remove = async (removed: StateRecord) => {
    // The address may name it by its UUID.
    const itsKey = keyOf(collection, removed)
    await callAdmin('DELETE', `state/${collection}/${encodeURIComponent(itsKey)}`)
    draft.discard()
    offerUndo({
      done: `${collection}/${itsKey} deleted`,
      undo: () => insertRecord(collection, removed, records.indexOf(removed)),
    })
    location.hash = back
  }
  if (!isNew && record === undefined && !draft.isDraft) {
    return (
      <GonePanel title="Record" of={of} back={back}>
        There is no record <bdi>{of}</bdi> in {collection}.
      </GonePanel>
    )
  }
  const title = (
    <>
      {isNew ? `New record of ${collection}` : <bdi>{visible(of)}</bdi>}{' '}
      {draft.isDraft && <span class="badge draft">draft</span>}
    </>
  )
  return (
    <Panel title={title} of={of} back={back}>
      <Form class="write" submit={save}>
        {isNew && records.length > 0 && <p class="quiet">This is a copy of the first record, with a key of its own.</p>}
        {isRenamed && (
          <p class="draft-note" role="status">
            {replaced === undefined
              ? `Saving creates a new record ${visible(key)}; ${visible(of)} is kept.`
              : `There is a record ${visible(key)} already: saving replaces it.`}
          </p>
        )}
        <RecordFields of={edited} kinds={record ?? begun} set={set} complaints={atFields} />
        <References collection={collection} of={edited} />
        <SentBy
          search={key}
          isIts={({ effects }) => effects.some((one) => one.collection === collection && one.key === key)}
        />
        <details open={edited === undefined || Object.keys(edited).length === 0 || others.length > 0}>
          <summary>As JSON</summary>
          <TextEditor label="Record (JSON)" text={draft.value} failure={withComplaints(failure, others)} set={set} />
        </details>
        <DraftNote {...draft} />
        <p class="row in-sight">
          <button type="submit" aria-busy={busy}>
            {draft.isOutrun ? 'Overwrite' : 'Save'}
          </button>
          {record && (
            <Action class="danger" call={() => remove(record)}>
              Delete
            </Action>
          )}
          <span role="status">{isSaved && 'Saved'}</span>
        </p>
      </Form>
    </Panel>
  )
}

/** An error without the complaints that stand at their fields. */
function withComplaints(failure: CallError | undefined, complaints: CallError['complaints']): CallError | undefined {
  if (failure === undefined || failure.complaints.length === 0) return failure
  return complaints.length === 0 ? undefined : Object.assign(new CallError(failure.message), { complaints })
}

function References({ collection, of }: { readonly collection: string; readonly of: StateRecord | undefined }) {
  const found = references.filter(({ from, field }) => from === collection && of?.[field] !== undefined)
  if (found.length === 0) return null
  return (
    <p class="row quiet">
      Refers to
      {found.map(({ field, to }) => (
        <a key={field} href={linkTo('state', to, String(of?.[field]))}>{`${to}/${of?.[field]}`}</a>
      ))}
    </p>
  )
}

/** The lines keep their numbers, which the server's complaints name. */
function putRecord(collection: string, text: string): Promise<void> {
  return callAdmin('PATCH', 'state', `{"${collection}": [${text}\n]}`)
}

async function insertRecord(collection: string, record: StateRecord, at: number): Promise<void> {
  const state = await get<Readonly<Record<string, StateRecord[]>>>('state')
  state[collection]?.splice(at, 0, record)
  await callAdmin('PUT', 'state', state)
}

function keyIn(collection: CollectionName, record: StateRecord | undefined): string {
  try {
    return record === undefined ? '' : keyOf(collection, record)
  } catch {
    return ''
  }
}
