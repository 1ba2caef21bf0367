import { Complaints, type Refusal } from './complaints.js'
import type { RuleDraft } from './draft.js'

/** The fields of a draft that hold such a value. */
type FieldOf<V> = { [N in keyof RuleDraft]: RuleDraft[N] extends V ? N : never }[keyof RuleDraft]

interface Place {
  readonly rule: RuleDraft
  readonly set: (rule: RuleDraft) => void
  readonly refusal: Refusal
  /** The rule's path in what is sent, and the field's within it. */
  readonly path: string
  readonly at: string
  readonly label: string
}

interface FieldProps extends Place {
  readonly name: FieldOf<string>
  readonly hint?: string
  readonly choices?: readonly string[]
  /** Values to pick from, beside any that is written. */
  readonly offers?: readonly string[]
  readonly long?: boolean
}

/** A text field of a rule, with what is wrong with it. */
export function Field({ rule, set, refusal, path, at, label, name, hint, choices, offers = [], long }: FieldProps) {
  const change = (value: string) => set({ ...rule, [name]: value })
  const id = `${path}.${at}`
  const shared = { id, value: rule[name], placeholder: hint, spellcheck: false, autocomplete: 'off' }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {choices !== undefined ? (
        <select id={id} value={rule[name]} onChange={({ currentTarget }) => change(currentTarget.value)}>
          <option value="">none</option>
          {choices.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      ) : long ? (
        <textarea {...shared} rows={3} onInput={({ currentTarget }) => change(currentTarget.value)} />
      ) : (
        <input
          {...shared}
          list={offers.length > 0 ? `${id} offers` : undefined}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {offers.length > 0 && (
        <datalist id={`${id} offers`}>
          {offers.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <Complaints of={refusal} at={id} />
    </div>
  )
}

/** A yes or no of a rule. */
export function Check({ rule, set, refusal, path, at, label, name }: Place & { readonly name: FieldOf<boolean> }) {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={rule[name]}
          onChange={({ currentTarget }) => set({ ...rule, [name]: currentTarget.checked })}
        />
        {label}
      </label>
      <Complaints of={refusal} at={`${path}.${at}`} />
    </>
  )
}
