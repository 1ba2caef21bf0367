import { isExact } from '../../../../../engine/contract/json.js'
import type { FileComplaint } from '../../../../../engine/files/invalid-files.js'
import type { StateRecord } from './new-record.js'

type FieldPath = readonly (string | number)[]

interface Leaf {
  readonly path: FieldPath
  readonly value: string | number | boolean | null
}

/** The texts, numbers and other single values of a record, nested ones too. */
export function leavesOf(value: unknown, path: FieldPath = []): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value: value as Leaf['value'] }]
  return Object.entries(value).flatMap(([key, one]) =>
    leavesOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

/** As complaints name it: `details.note`, `tags[0]`. */
export function fieldName(path: FieldPath): string {
  const parts = path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`))
  return parts.join('')
}

/** Complaints by the field that they are about, and the others. */
export function splitComplaints(complaints: readonly FileComplaint[], prefix: string, names: readonly string[]) {
  const fieldOf = ({ path = '' }: FileComplaint) => (path.startsWith(prefix) ? path.slice(prefix.length) : '')
  const atFields = new Map(
    complaints.map((one) => [fieldOf(one), one.message]).filter(([name]) => names.includes(name as string)) as [
      string,
      string,
    ][],
  )
  return [atFields, complaints.filter((one) => !atFields.has(fieldOf(one)))] as const
}

interface RecordFieldsProps {
  readonly of?: StateRecord | undefined
  /** The record as it was: what was a number stays one. */
  readonly kinds: StateRecord
  readonly set: (text: string) => void
  readonly complaints: ReadonlyMap<string, string>
}

export function RecordFields({ of = {}, kinds, set, complaints }: RecordFieldsProps) {
  const known = new Map(leavesOf(kinds).map(({ path, value }) => [fieldName(path), value]))
  const change = (path: FieldPath, text: string) => {
    const value = readAs(known.get(fieldName(path)), text)
    set(JSON.stringify(withValue(of, path, value), null, 2))
  }
  return (
    <div class="record-fields">
      {leavesOf(of).map(({ path, value }) => {
        const name = fieldName(path)
        const complaint = complaints.get(name)
        const Field = typeof value === 'string' && value.length > LONG ? 'textarea' : 'input'
        return (
          // biome-ignore lint/a11y/noLabelWithoutControl: the field is an input or a textarea
          <label key={name}>
            {name}
            <Field
              value={String(value)}
              aria-invalid={complaint !== undefined}
              aria-describedby={complaint === undefined ? undefined : `complaint ${name}`.replaceAll(/[^\w]/g, '-')}
              onInput={({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
                change(path, currentTarget.value)
              }
            />
            {complaint !== undefined && (
              <span class="complaint" role="alert" id={`complaint ${name}`.replaceAll(/[^\w]/g, '-')}>
                <bdi>{complaint}</bdi>
              </span>
            )}
          </label>
        )
      })}
    </div>
  )
}

/** Characters that fit a line. */
const LONG = 80

function readAs(known: unknown, text: string): unknown {
  // Of 0012 and of numbers that JavaScript cannot hold, it would make others.
  if (typeof known === 'number' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && isExact(text)) return Number(text)
  if (typeof known === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (known === null && text === 'null') return null
  return text
}

function withValue(of: unknown, [part, ...rest]: FieldPath, value: unknown): unknown {
  if (part === undefined) return value
  const copy = Array.isArray(of) ? [...of] : { ...(of as object) }
  return Object.assign(copy, { [part]: withValue((of as StateRecord)[part], rest, value) })
}
