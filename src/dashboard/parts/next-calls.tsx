import { useState } from 'preact/hooks'
import type { Fault, Rule } from '../../../schemas/scenario.js'
import { linkTo } from '../address.js'
import { call } from '../api.js'
import { scenarioPath, switchScenario } from '../scenarios.js'
import type { ScenarioList, ScenarioView } from '../shapes.js'
import { useAct } from './act.js'
import { counted } from './marks.js'
import { Problem } from './problem.js'
import { Switch } from './switch.js'

const FAULTS: readonly Fault[] = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
  'TIMEOUT',
]

/** The name of the scenario that answers an operation's next calls. */
const PREFIX = 'answer-'

interface Props {
  readonly list: ScenarioList
  readonly refresh: () => void
  /** The only operation to choose; any where it is left out. */
  readonly operation?: string
}

/** Decides how an operation's next calls are answered, and shows how many of them are left. */
export function NextCalls({ list, refresh, operation: only }: Props) {
  const names = list.scenarios.map(({ name }) => name)
  const operations = only ? [only] : operationsIn(names)
  const [operation, setOperation] = useState(operations[0] ?? '')
  const [calls, setCalls] = useState('the next')
  const [times, setTimes] = useState('1')
  const [answer, setAnswer] = useState('500')
  const [delay, setDelay] = useState('')
  const { run, busy, failure } = useAct()
  const documented = statusesOf(operation, names)
  const isFault = FAULTS.includes(answer as Fault)
  const apply = () =>
    run(async () => {
      await answerCalls(operation, {
        on: operation as Rule['on'],
        ...(calls === 'the next' && { times: Number(times) }),
        answer: {
          ...(isFault ? { fault: answer as Fault } : answer !== USUAL && { status: Number(answer) }),
          ...(delay !== '' && { delay: Number(delay) }),
        },
      })
      refresh()
    })
  return (
    <>
      <form
        class="next-calls"
        onSubmit={(event) => {
          event.preventDefault()
          void apply()
        }}
      >
        {only === undefined && (
          <Choice label="Operation" value={operation} set={setOperation} groups={{ '': operations }} />
        )}
        <Choice label="Calls" value={calls} set={setCalls} groups={{ '': ['the next', 'all calls'] }} />
        {calls === 'the next' && <Count label="How many" value={times} set={setTimes} least={1} />}
        <Choice
          label="Answer"
          value={answer}
          set={setAnswer}
          groups={{
            '': [USUAL],
            Documented: documented,
            Gateway: statusesOf('gateway', names).filter((status) => !documented.includes(status)),
            Fault: FAULTS,
          }}
        />
        <Count label="Delay (ms)" value={delay} set={setDelay} least={0} />
        <button type="submit" aria-busy={busy}>
          Apply
        </button>
      </form>
      <Problem failure={failure} />
      <ul class="next-calls-list" aria-label="Next calls">
        {list.scenarios
          .filter(({ name, active }) => active && operations.some((one) => name === PREFIX + one))
          .map((scenario) => (
            <Progress key={scenario.name} scenario={scenario} refresh={refresh} />
          ))}
      </ul>
    </>
  )
}

const USUAL = 'as usual'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
}

function Choice({ label, value, set, groups }: FieldProps & { groups: Readonly<Record<string, readonly string[]>> }) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {Object.entries(groups).map(([name, values]) => {
          const options = values.map((one) => <option key={one}>{one}</option>)
          return name === '' ? (
            options
          ) : (
            <optgroup key={name} label={name}>
              {options}
            </optgroup>
          )
        })}
      </select>
    </label>
  )
}

function Count({ label, value, set, least }: FieldProps & { readonly least: number }) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={least}
        required={least > 0}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  )
}

function Progress({ scenario, refresh }: { readonly scenario: ScenarioView; readonly refresh: () => void }) {
  const { name, rules } = scenario
  const [rule] = rules
  if (rule === undefined) return null
  return (
    <li>
      <Switch name={name} on toggle={() => switchScenario(name, false).then(refresh)} />
      <a href={linkTo('scenarios', name)}>{name.slice(PREFIX.length)}</a>
      <bdi>{rule.says.replace(/^[^:]*: /, '')}</bdi>
      <strong role="status">{leftOf(rule)}</strong>
    </li>
  )
}

/** How many calls a rule will still answer. */
export function leftOf({ times, answered }: ScenarioView['rules'][number]): string {
  if (times === undefined) return `all calls, ${answered} so far`
  return answered >= times ? 'spent' : `${times - answered} of ${times} left`
}

/** The operations whose outcomes are among the scenarios. */
export function operationsIn(names: readonly string[]): readonly string[] {
  const operations = names.flatMap((name) => /^(\w+):\d{3}$/.exec(name)?.[1] ?? [])
  return [...new Set(operations)].filter((one) => one !== 'gateway')
}

/** The documented statuses of an operation. Success is left out: a forced success changes no state. */
function statusesOf(operation: string, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (name.startsWith(`${operation}:`) ? (/[345]\d\d$/.exec(name)?.[0] ?? []) : []))
}

/** Defines the scenario that answers an operation's next calls. Its outcomes go off: they would answer first. */
export async function answerCalls(operation: string, rule: Rule): Promise<string> {
  const name = PREFIX + operation
  const description = `Answers ${rule.times === undefined ? 'all calls' : counted(rule.times, 'call')} of ${operation}.`
  await call(scenarioPath(name), { method: 'PUT', body: { description, rules: [rule], active: true } })
  await call(`${scenarioPath(name)}/reset`, { method: 'POST' })
  const { meta } = await call<ScenarioList>('scenarios')
  const forced = meta.active.filter((one) => one.startsWith(`${operation}:`))
  for (const one of forced) await switchScenario(one, false)
  return name
}
