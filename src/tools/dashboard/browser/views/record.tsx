import { useRef, useState } from 'preact/hooks'
import { isExact, valueAt } from '../../../../engine/contract/json.js'
import { type CollectionKeys, keyOf } from '../../../../engine/files/collections.js'
import type { ShownCollection, ShownField } from '../../api-facts.js'
import { CallError, callAdmin } from '../admin.js'
import { linkTo } from '../page.js'
import { Action, Form, Options, Problem, useAct } from '../parts/controls.js'
import { DraftNote, offerUndo, useDraft } from '../parts/edits.js'
import { CausingRequest, Panel } from '../parts/panel.js'
import { reveal, textOf } from '../parts/texts.js'

export type StateRecord = Readonly<Record<string, unknown>>

interface RecordPanelProps {
  readonly collection: ShownCollection
  /** Key or other unique field; empty for a new record. */
  readonly of: string
  readonly records: readonly StateRecord[]
}

export function RecordPanel({ collection, of, records }: RecordPanelProps) {
  const isNew = of === ''
  const { name } = collection
  const back = linkTo('state', name)
  const find = (key: string) => records.find((one) => hasName(collection, one, key))
  const record = find(of)
  const [initial] = useState(() => newRecord(collection, records))
  const draft = useDraft(`${name}/${of}`, isNew ? initial : record)
  const { run, busy, failure, result } = useAct()
  if (draft.value === undefined)
    return <Panel title="Record" focusKey={of} back={back} missing={`There is no record ${of} in ${name}.`} />
  const edited = draft.value
  const typed = collection.fields.reduce(parseField, edited)
  const key = keyOf(collection, typed)
  const replaced = find(key)
  const isOutdated = draft.isOutdated && !isNew
  const save = () =>
    run(async () => {
      await putRecord(collection, typed, replaced)
      if (replaced !== undefined) {
        offerUndo({
          message: `${name}/${key} ${replaced === record ? 'changed' : 'replaced'}`,
          undo: () => putRecord(collection, replaced, typed).then(draft.showStored),
        })
      }
      draft.markSaved()
      location.hash = linkTo('state', name, key)
      return 'Saved'
    })
  const remove = async (removed: StateRecord) => {
    // The page's address may name the record by its UUID.
    const removedKey = keyOf(collection, removed)
    await callAdmin('DELETE', `state/${name}/${encodeURIComponent(removedKey)}`)
    draft.discard()
    offerUndo({ message: `${name}/${removedKey} deleted`, undo: () => putRecord(collection, removed) })
    location.hash = back
  }
  const isCause: Parameters<typeof CausingRequest>[0]['isCause'] = ({ effects }) =>
    effects.some((one) => one.collection === name && one.key === key)
  return (
    <Panel title={isNew ? `New record of ${name}` : <bdi>{reveal(of)}</bdi>} focusKey={of} back={back}>
      <Form class="write" submit={save}>
        {isNew && records.length > 0 && <p class="quiet">This is a copy of the first record, with a new key.</p>}
        {!isNew && replaced !== record && (
          <p class="note" role="status">
            {replaced === undefined
              ? `Saving creates a new record ${reveal(key)}; ${reveal(of)} is kept.`
              : `There is a record ${reveal(key)} already: saving replaces it.`}
          </p>
        )}
        <RecordFields fields={collection.fields} of={edited} set={draft.set} prefix={`${name}[0].`} failure={failure} />
        <DraftNote {...draft} isOutdated={isOutdated} />
        <p class="row save">
          <button type="submit" aria-busy={busy}>
            {isOutdated ? 'Overwrite' : 'Save'}
          </button>
          {record && <Action class="danger" label="Delete" call={() => remove(record)} />}
          <span role="status">{!draft.isDraft && result}</span>
        </p>
        <p class="row quiet">
          {Object.entries(collection.references).map(([field, [to]]) => {
            const value = edited[field] as string | number | undefined
            return value !== undefined && <a key={field} href={linkTo('state', to, `${value}`)}>{`${to}/${value}`}</a>
          })}
          <CausingRequest search={key} isCause={isCause} />
        </p>
      </Form>
    </Panel>
  )
}

/** True if `name` is the key or another unique field of the record. */
export function hasName(collection: CollectionKeys, record: StateRecord, name: string): boolean {
  return keyOf(collection, record) === name || collection.unique.some((field) => record[field] === name)
}

/** Sends the fields that change, so that other fields keep what others changed meanwhile. */
function putRecord({ name, key }: ShownCollection, record: StateRecord, replaced: StateRecord = {}): Promise<void> {
  const isChanged = (field: string) => JSON.stringify(record[field]) !== JSON.stringify(replaced[field])
  const fields = Object.keys({ ...replaced, ...record }).filter((field) => key.includes(field) || isChanged(field))
  const patch = Object.fromEntries(fields.map((field) => [field, record[field] ?? null]))
  return callAdmin('PATCH', 'state', { [name]: [patch] })
}

/** Copies the first record, for valid references. */
function newRecord({ key, unique, references }: ShownCollection, records: readonly StateRecord[]): StateRecord {
  const [example = {}] = records
  const keys = ['id', 'uuid', ...key, ...unique].filter((field) => field in example && !(field in references))
  return {
    ...example,
    ...Object.fromEntries(keys.map((field) => [field, nextFreeValue(records.map((one) => one[field]))])),
  }
}

function nextFreeValue(usedValues: readonly unknown[]): unknown {
  const [first] = usedValues
  if (typeof first === 'number') return Math.max(...usedValues.map(Number)) + 1
  const text = String(first)
  // A UUID may end in letters.
  const [end = ''] = /(?<=^[\da-f-]{24})[\da-f]{12}$|\d{1,9}$/i.exec(text) ?? []
  const start = text.slice(0, text.length - end.length)
  for (let count = 1; ; count++) {
    const value = `${start}${String(count).padStart(end.length, '0')}`
    if (!usedValues.includes(value)) return value
  }
}

interface RecordFieldsProps {
  readonly fields: readonly ShownField[]
  readonly of: StateRecord
  readonly set: (record: StateRecord) => void
  /** Precedes field names in complaints. */
  readonly prefix: string
  readonly failure: CallError | undefined
}

function RecordFields({ fields, of, set, prefix, failure }: RecordFieldsProps) {
  // Some records lack a nested field.
  const shown = fields.filter(({ name }) => !name.includes('.') || valueAt(of, ...name.split('.')) !== undefined)
  const all = failure?.complaints ?? []
  const complaintAt = (name: string) => all.find(({ path = '' }) => path.replace(/\[\d+\]$/, '') === `${prefix}${name}`)
  const others = all.filter((one) => !shown.some(({ name }) => complaintAt(name) === one))
  return (
    <>
      {shown.map((field) => (
        <Field
          key={field.name}
          of={field}
          text={fieldText(valueAt(of, ...field.name.split('.')))}
          set={(text) => set(withValue(of, field.name.split('.'), draftValue(field, text)))}
          complaint={complaintAt(field.name)?.message}
        />
      ))}
      {failure && (all.length === 0 || others.length > 0) && (
        <Problem failure={Object.assign(new CallError(failure.message), { complaints: others })} />
      )}
    </>
  )
}

/** Characters of a line. */
const LONGEST_INPUT = 80

interface FieldProps {
  readonly of: ShownField
  readonly text: string
  readonly set: (text: string) => void
  readonly complaint: string | undefined
}

function Field({ of: { name, type, values }, text, set, complaint }: FieldProps) {
  const id = `field-${name.replaceAll(/\W/g, '-')}`
  const isChoice = values.length > 0 && type !== 'array'
  // Another element while typing would lose the focus.
  const isLong = useRef(text.length > LONGEST_INPUT)
  isLong.current ||= text.includes('\n')
  const Control = isChoice ? 'select' : isLong.current ? 'textarea' : 'input'
  return (
    <div>
      <label for={id}>{name}</label>
      <Control
        id={id}
        value={text}
        aria-invalid={complaint !== undefined}
        aria-describedby={complaint === undefined ? undefined : `${id}-complaint`}
        onInput={({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value)}
      >
        {isChoice ? <Options of={[...new Set([text, ...values])]} selected={text} /> : undefined}
      </Control>
      {complaint !== undefined && (
        <span class="bad" role="alert" id={`${id}-complaint`}>
          {reveal(complaint)}
        </span>
      )}
    </div>
  )
}

/** Joins a list of texts with commas. */
function fieldText(value: unknown): string {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(', ') : textOf(value)
}

/** Unfinished input stays text: `10.0` may become `10.05`. */
function draftValue(field: ShownField, text: string): unknown {
  if (text === '' && field.isOptional) return undefined
  const value = parseAs(field, text)
  return fieldText(value) === text ? value : text
}

function parseField(of: StateRecord, field: ShownField): StateRecord {
  const path = field.name.split('.')
  const value = valueAt(of, ...path)
  return typeof value === 'string' ? withValue(of, path, parseAs(field, value)) : of
}

function parseAs({ type }: ShownField, text: string): unknown {
  // `0012` and large numbers stay text.
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && isExact(text)
  if ((type === 'number' || type === 'integer') && isNumber) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if (type === 'array') return text.split(',').flatMap((one) => one.trim() || [])
  return text
}

function withValue(of: StateRecord, [part = '', ...rest]: readonly string[], value: unknown): StateRecord {
  return { ...of, [part]: rest.length === 0 ? value : withValue(of[part] as StateRecord, rest, value) }
}
