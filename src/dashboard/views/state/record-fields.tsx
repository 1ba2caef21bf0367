import { linkTo } from '../../address.js'
import type { Complaint } from '../../api.js'
import { textOf } from '../../parts/code.js'
import { ComplaintList } from '../../parts/complaint-list.js'
import { Prose } from '../../parts/prose.js'
import type { StateRecord } from '../../shapes.js'
import { type FieldOf, fieldsOf, valueAt, withValue } from './fields.js'

interface Props {
  readonly collection: string
  readonly record: StateRecord
  readonly complaints: readonly Complaint[]
  readonly set: (record: StateRecord) => void
}

/** A record field by field, each with what is wrong with it. */
export function RecordFields({ collection, record, complaints, set }: Props) {
  const fields = fieldsOf(collection)
  const named = new Set(fields.map(({ path }) => path.join('.')))
  const inRecord = complaints.map((one) => ({ ...one, path: one.path.replace(/^.*?\[\d+\]\.?/, ''), line: undefined }))
  return (
    <>
      <div class="record-fields">
        {fields.map((field) => (
          <Field
            key={field.path.join('.')}
            field={field}
            value={valueAt(record, field.path)}
            complaints={inRecord.filter(({ path }) => path === field.path.join('.'))}
            set={(value) => set(withValue(record, field.path, value))}
          />
        ))}
      </div>
      <ComplaintList of={inRecord.filter(({ path }) => !named.has(path))} />
    </>
  )
}

interface FieldProps {
  readonly field: FieldOf
  readonly value: unknown
  readonly complaints: readonly Complaint[]
  readonly set: (value: unknown) => void
}

function Field({ field, value, complaints, set }: FieldProps) {
  const { path, hint, required, description, refersTo } = field
  const name = path.join('.')
  const id = `field-${name}`
  return (
    <div class="field">
      <p class="field-head">
        {field.kind === 'choices' ? <span>{name}</span> : <label for={id}>{name}</label>}
        <span class="quiet">
          {hint}
          {!required && ', optional'}
        </span>
        {refersTo !== undefined && value !== undefined && (
          <a href={linkTo('state', refersTo, String(value))}>{refersTo}</a>
        )}
      </p>
      <Input id={id} name={name} field={field} value={value} set={set} />
      {description !== undefined && (
        <p class="quiet describes">
          <Prose text={description} />
        </p>
      )}
      <ComplaintList of={complaints.map((one) => ({ ...one, path: name }))} />
    </div>
  )
}

interface InputProps extends Omit<FieldProps, 'complaints'> {
  readonly id: string
  readonly name: string
}

function Input({ id, name, field: { kind, choices, required }, value, set }: InputProps) {
  if (kind === 'json') {
    return (
      <p class="quiet" id={id}>
        {textOf(value)} (change it as JSON)
      </p>
    )
  }
  if (kind === 'choices') {
    const chosen = Array.isArray(value) ? (value as readonly string[]) : []
    const toggle = (choice: string, on: boolean) =>
      set(choices.filter((one) => (one === choice ? on : chosen.includes(one))))
    return (
      <fieldset class="checks" aria-label={name}>
        {choices.map((choice) => (
          <label key={choice} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(choice)}
              onChange={({ currentTarget }) => toggle(choice, currentTarget.checked)}
            />
            {choice}
          </label>
        ))}
      </fieldset>
    )
  }
  if (kind === 'choice') {
    const others = value === undefined || choices.includes(String(value)) ? [] : [String(value)]
    return (
      <select
        id={id}
        value={String(value ?? '')}
        onChange={({ currentTarget }) => set(currentTarget.value || undefined)}
      >
        {(!required || value === undefined) && <option value="">none</option>}
        {[...choices, ...others].map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  }
  const written = (text: string) => (text === '' && !required ? undefined : kind === 'number' ? numberOr(text) : text)
  return (
    <input
      id={id}
      value={value === undefined ? '' : textOf(value)}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => set(written(currentTarget.value))}
    />
  )
}

/** What is no number stays as it was written, so that the server's complaint quotes it. */
function numberOr(text: string): number | string {
  return text.trim() === '' || !Number.isFinite(Number(text)) || String(Number(text)) !== text.trim()
    ? text
    : Number(text)
}
