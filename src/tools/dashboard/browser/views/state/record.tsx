import { useState } from 'preact/hooks'
import { keyOf } from '../../../../../engine/files/collections.js'
import type { ShownCollection } from '../../../knowledge.js'
import { linkTo } from '../../address.js'
import { callAdmin, get } from '../../admin.js'
import { isNamed } from '../../api-facts.js'
import { Action, Form, useAct } from '../../parts/controls.js'
import { DraftNote, offerUndo, useDraft } from '../../parts/edits.js'
import { Panel, SentBy } from '../../parts/panel.js'
import { Badge, visible } from '../../parts/texts.js'
import { RecordFields, type StateRecord } from './fields.js'

interface RecordPanelProps {
  readonly collection: ShownCollection
  /** The key of the record; empty for a new one. */
  readonly of: string
  readonly records: readonly StateRecord[]
}

export function RecordPanel({ collection, of, records }: RecordPanelProps) {
  const isNew = of === ''
  const { name } = collection
  const back = linkTo('state', name)
  const find = (key: string) => records.find((one) => isNamed(collection, one, key))
  const record = find(of)
  const [begun] = useState(() => newRecord(collection, records))
  const draft = useDraft(`${name}/${of}`, isNew ? begun : record)
  const { run, busy, failure } = useAct()
  if (draft.value === undefined)
    return <Panel title="Record" of={of} back={back} gone={`There is no record ${of} in ${name}.`} />
  const edited = draft.value
  const key = keyOf(collection, edited)
  const replaced = find(key)
  const isOutrun = draft.isOutrun && !isNew
  const save = () =>
    run(async () => {
      await putRecord(name, edited, replaced)
      if (replaced !== undefined) {
        offerUndo({
          done: `${name}/${key} ${replaced === record ? 'changed' : 'replaced'}`,
          undo: () => putRecord(name, replaced, edited).then(draft.settle),
        })
      }
      draft.saved()
      location.hash = linkTo('state', name, key)
    })
  const remove = async (removed: StateRecord) => {
    // The address may name it by its UUID.
    const itsKey = keyOf(collection, removed)
    await callAdmin('DELETE', `state/${name}/${encodeURIComponent(itsKey)}`)
    draft.discard()
    const undo = () => insertRecord(name, removed, records.indexOf(removed))
    offerUndo({ done: `${name}/${itsKey} deleted`, undo })
    location.hash = back
  }
  const isIts: Parameters<typeof SentBy>[0]['isIts'] = ({ effects }) =>
    effects.some((one) => one.collection === name && one.key === key)
  const title = (
    <>
      {isNew ? `New record of ${name}` : <bdi>{visible(of)}</bdi>} {draft.isDraft && <Badge kind="draft" />}
    </>
  )
  return (
    <Panel title={title} of={of} back={back}>
      <Form class="write" submit={save}>
        {isNew && records.length > 0 && <p class="quiet">This is a copy of the first record, with a key of its own.</p>}
        {!isNew && replaced !== record && (
          <p class="note" role="status">
            {replaced === undefined
              ? `Saving creates a new record ${visible(key)}; ${visible(of)} is kept.`
              : `There is a record ${visible(key)} already: saving replaces it.`}
          </p>
        )}
        <RecordFields fields={collection.fields} of={edited} set={draft.set} prefix={`${name}[0].`} failure={failure} />
        <p class="row quiet">
          {Object.entries(collection.references).map(([field, [to]]) => (
            <a key={field} href={linkTo('state', to, String(edited[field]))}>{`${to}/${edited[field]}`}</a>
          ))}
          <SentBy search={key} isIts={isIts} />
        </p>
        <DraftNote {...draft} isOutrun={isOutrun} />
        <p class="row save">
          <button type="submit" aria-busy={busy}>
            {isOutrun ? 'Overwrite' : 'Save'}
          </button>
          {record && <Action class="danger" label="Delete" call={() => remove(record)} />}
          <span role="status">{draft.isSaved && 'Saved'}</span>
        </p>
      </Form>
    </Panel>
  )
}

/** Of the record that it replaces, no field stays. */
function putRecord(collection: string, record: StateRecord, over: StateRecord = {}): Promise<void> {
  const none = Object.fromEntries(Object.keys(over).map((field) => [field, null]))
  return callAdmin('PATCH', 'state', { [collection]: [{ ...none, ...record }] })
}

async function insertRecord(collection: string, record: StateRecord, at: number): Promise<void> {
  const state = await get<Readonly<Record<string, StateRecord[]>>>('state')
  state[collection]?.splice(at, 0, record)
  await callAdmin('PUT', 'state', state)
}

/** A copy of the first record, so its references are valid, with a free key. */
function newRecord({ key, unique, references }: ShownCollection, records: readonly StateRecord[]): StateRecord {
  const [example = {}] = records
  const keys = ['id', 'uuid', ...key, ...unique].filter((field) => field in example && !(field in references))
  return {
    ...example,
    ...Object.fromEntries(keys.map((field) => [field, freeValue(records.map((one) => one[field]))])),
  }
}

function freeValue(taken: readonly unknown[]): unknown {
  const [first] = taken
  if (typeof first === 'number') return Math.max(...taken.map(Number)) + 1
  const text = String(first)
  // The last part of a UUID may have letters.
  const [end = ''] = /(?<=^[\da-f-]{24})[\da-f]{12}$|\d{1,9}$/i.exec(text) ?? []
  const start = text.slice(0, text.length - end.length)
  for (let count = 1; ; count++) {
    const value = `${start}${String(count).padStart(end.length, '0')}`
    if (!taken.includes(value)) return value
  }
}
