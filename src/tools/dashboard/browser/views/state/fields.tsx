import { isExact } from '../../../../../engine/contract/json.js'
import type { ShownField } from '../../../knowledge.js'
import { CallError } from '../../admin.js'
import { Options, Problem } from '../../parts/controls.js'
import { textOf, visible } from '../../parts/texts.js'

export type StateRecord = Readonly<Record<string, unknown>>

interface RecordFieldsProps {
  readonly fields: readonly ShownField[]
  readonly of: StateRecord
  readonly set: (record: StateRecord) => void
  /** What stands before the names of fields in complaints. */
  readonly prefix: string
  readonly failure: CallError | undefined
}

/** A field for each value that the schema knows, with the complaints about it; others stand below. */
export function RecordFields({ fields, of, set, prefix, failure }: RecordFieldsProps) {
  // A nested field belongs to some records only.
  const shown = fields.filter(({ name }) => !name.includes('.') || valueIn(of, name) !== undefined)
  const all = failure?.complaints ?? []
  const about = (name: string) => all.find(({ path = '' }) => path.replace(/\[\d+\]$/, '') === `${prefix}${name}`)
  const others = all.filter((one) => !shown.some(({ name }) => about(name) === one))
  return (
    <>
      {shown.map((field) => (
        <Field
          key={field.name}
          of={field}
          text={textIn(valueIn(of, field.name))}
          set={(text) => set(withValue(of, field.name.split('.'), readAs(field, text)))}
          complaint={about(field.name)?.message}
        />
      ))}
      {failure && (all.length === 0 || others.length > 0) && (
        <Problem failure={Object.assign(new CallError(failure.message), { complaints: others })} />
      )}
    </>
  )
}

/** Characters that fit a line. */
const LONG = 80

interface FieldProps {
  readonly of: ShownField
  readonly text: string
  readonly set: (text: string) => void
  readonly complaint: string | undefined
}

function Field({ of: { name, type, values }, text, set, complaint }: FieldProps) {
  const id = `field-${name.replaceAll(/\W/g, '-')}`
  const isChoice = values.length > 0 && type !== 'array'
  const Control = isChoice ? 'select' : text.length > LONG ? 'textarea' : 'input'
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
          {visible(complaint)}
        </span>
      )}
    </div>
  )
}

/** Texts of a list are parted by commas. */
function textIn(value: unknown): string {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(', ') : textOf(value)
}

function readAs({ type }: ShownField, text: string): unknown {
  // Of 0012 and of numbers that JavaScript cannot hold, it would make others.
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && isExact(text)
  if ((type === 'number' || type === 'integer') && isNumber) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if (type === 'array') return text.trim() === '' ? [] : text.split(',').map((one) => one.trim())
  return text
}

function valueIn(of: StateRecord, name: string): unknown {
  return name.split('.').reduce<unknown>((value, part) => (value as StateRecord | undefined)?.[part], of)
}

function withValue(of: StateRecord, [part = '', ...rest]: readonly string[], value: unknown): StateRecord {
  return { ...of, [part]: rest.length === 0 ? value : withValue(of[part] as StateRecord, rest, value) }
}
