import type { Fault } from '../../../../schemas/scenario.js'
import { Complaints, OtherComplaints, type Refusal } from './complaints.js'
import { Conditions } from './conditions.js'
import type { RuleDraft } from './draft.js'
import { Check, Field } from './fields.js'

interface Props {
  readonly at: number
  readonly last: number
  readonly rule: RuleDraft
  readonly operations: readonly string[]
  /** What is offered as the status: any other can be written. */
  readonly statuses: readonly string[]
  readonly refusal: Refusal
  readonly set: (rule: RuleDraft) => void
  readonly move: (by: number) => void
  readonly remove: () => void
}

const FAULTS: readonly Fault[] = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
  'TIMEOUT',
]

/** Where the complaints about a rule are shown beside a field; others are shown at the rule. */
const FIELDS = [
  ...['on', 'when', 'times', 'chance', 'then', 'offContract'],
  ...['answer.status', 'answer.delay', 'answer.fault', 'answer.effect', 'answer.body', 'answer.headers'],
]

/** One rule of a scenario: which calls it meets, and what they get. */
export function RuleForm({ at, last, rule, operations, statuses, refusal, set, move, remove }: Props) {
  const path = `rules[${at}]`
  const field = { rule, set, refusal, path }
  const toggle = (operation: string, on: boolean) =>
    set({ ...rule, on: on ? [...rule.on, operation] : rule.on.filter((one) => one !== operation) })
  return (
    <fieldset class="rule">
      <legend>Rule {at + 1}</legend>
      <OtherComplaints of={refusal} at={path} fields={FIELDS} />
      <fieldset class="checks">
        <legend>On</legend>
        <label class="check">
          <input type="checkbox" checked={rule.on.length === 0} onChange={() => set({ ...rule, on: [] })} />
          any operation
        </label>
        {operations.map((operation) => (
          <label key={operation} class="check">
            <input
              type="checkbox"
              checked={rule.on.includes(operation)}
              onChange={({ currentTarget }) => toggle(operation, currentTarget.checked)}
            />
            {operation}
          </label>
        ))}
        <Complaints of={refusal} at={`${path}.on`} />
      </fieldset>
      <Conditions conditions={rule.conditions} set={(conditions) => set({ ...rule, conditions })} />
      <Complaints of={refusal} at={`${path}.when`} />
      <div class="fields">
        <Field {...field} name="status" at="answer.status" label="Status" hint="such as 503" offers={statuses} />
        <Field {...field} name="times" at="times" label="Times" hint="forever" />
        <Field {...field} name="chance" at="chance" label="Chance" hint="0 to 1 (always)" />
        <Field {...field} name="delay" at="answer.delay" label="Delay" hint="milliseconds" />
        <Field {...field} name="fault" at="answer.fault" label="Fault" choices={FAULTS} />
        <Field {...field} name="then" at="then" label="Then state" hint="such as Recovered" />
      </div>
      <Field {...field} name="body" at="answer.body" label="Body (JSON)" hint="the sample body if empty" long />
      <Field {...field} name="headers" at="answer.headers" label="Headers (JSON)" hint='{"Retry-After": "3"}' long />
      <Check {...field} name="after" at="answer.effect" label="The operation takes place first (effect: after)" />
      <Check
        {...field}
        name="offContract"
        at="offContract"
        label="Departs from the contract on purpose (offContract)"
      />
      <p class="buttons">
        <button type="button" class="small" disabled={at === 0} onClick={() => move(-1)}>
          Move up
        </button>
        <button type="button" class="small" disabled={at === last} onClick={() => move(1)}>
          Move down
        </button>
        <button type="button" class="small danger" disabled={last === 0} onClick={remove}>
          Remove rule {at + 1}
        </button>
      </p>
    </fieldset>
  )
}
