import { type ConditionDraft, emptyCondition, PARTS, TESTS } from './draft.js'

interface Props {
  readonly conditions: readonly ConditionDraft[]
  readonly set: (conditions: readonly ConditionDraft[]) => void
}

/** What a call must hold for a rule to meet it. */
export function Conditions({ conditions, set }: Props) {
  const replace = (at: number, condition: ConditionDraft) =>
    set(conditions.map((one, other) => (other === at ? condition : one)))
  return (
    <fieldset class="conditions">
      <legend>When</legend>
      {conditions.length === 0 && <p class="quiet">always</p>}
      {conditions.map((condition, at) => (
        <Condition
          key={at}
          number={at + 1}
          of={condition}
          set={(changed) => replace(at, changed)}
          remove={() => set(conditions.filter((_, other) => other !== at))}
        />
      ))}
      <button type="button" class="small" onClick={() => set([...conditions, emptyCondition])}>
        Add a condition
      </button>
    </fieldset>
  )
}

interface ConditionProps {
  readonly number: number
  readonly of: ConditionDraft
  readonly set: (condition: ConditionDraft) => void
  readonly remove: () => void
}

function Condition({ number, of, set, remove }: ConditionProps) {
  const named = of.part !== 'token' && of.part !== 'state'
  return (
    <div class="condition">
      <select
        aria-label={`Part of condition ${number}`}
        value={of.part}
        onChange={({ currentTarget }) => set({ ...of, part: currentTarget.value as ConditionDraft['part'] })}
      >
        {PARTS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      {named && (
        <input
          aria-label={`Field of condition ${number}`}
          placeholder="data[0][email]"
          value={of.name}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => set({ ...of, name: currentTarget.value })}
        />
      )}
      {of.part !== 'state' && (
        <select
          aria-label={`Test of condition ${number}`}
          value={of.test}
          onChange={({ currentTarget }) => set({ ...of, test: currentTarget.value as ConditionDraft['test'] })}
        >
          {TESTS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      {of.test !== 'absent' && (
        <input
          aria-label={`Value of condition ${number}`}
          placeholder="value"
          value={of.value}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => set({ ...of, value: currentTarget.value })}
        />
      )}
      <button type="button" class="small" aria-label={`Remove condition ${number}`} onClick={remove}>
        ×
      </button>
    </div>
  )
}
