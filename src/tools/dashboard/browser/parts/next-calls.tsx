import { useState } from 'preact/hooks'
import type { Fault, Rule } from '../../../../engine/files/scenario.js'
import { linkTo } from '../address.js'
import {
  answerCalls,
  answerName,
  callsLeft,
  isUsedUp,
  operationsIn,
  outcomesOf,
  type ScenarioList,
  statusOf,
  switchScenario,
} from '../scenarios.js'
import { Form, Options, Problem, Switch, useAct } from './controls.js'

const FAULTS: readonly Fault[] = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
  'TIMEOUT',
]

export function NextCalls({ list }: { readonly list: ScenarioList }) {
  const names = list.scenarios.map(({ name }) => name)
  const operations = operationsIn(names)
  const [chosen = '', choose] = useState(operations[0])
  const [isForAll, setForAll] = useState(false)
  const { run, busy, failure } = useAct()
  const documented = statusesOf(chosen, names)
  const gateway = statusesOf('gateway', names).filter((one) => !documented.includes(one))
  const answers = { Documented: documented, Gateway: gateway, Fault: FAULTS }
  return (
    <>
      <Form class="row" submit={(fields) => run(() => answerCalls(chosen, ruleFrom(chosen, fields)))}>
        <label>
          Operation
          <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <Options of={operations} />
          </select>
        </label>
        <label>
          Calls
          <select onChange={({ currentTarget }) => setForAll(currentTarget.selectedIndex === 1)}>
            <Options of={['the next', 'all calls']} />
          </select>
        </label>
        <label>
          How many
          <input name="times" type="number" min={1} required defaultValue="1" disabled={isForAll} />
        </label>
        <label>
          Answer
          <select name="answer">
            <option>as usual</option>
            {Object.entries(answers).map(([group, of]) => (
              <optgroup key={group} label={group}>
                <Options of={of} selected="500" />
              </optgroup>
            ))}
          </select>
        </label>
        <label>
          Delay (ms)
          <input name="delay" type="number" min={0} />
        </label>
        <button type="submit" aria-busy={busy}>
          Apply
        </button>
      </Form>
      <Problem failure={failure} />
      <ul aria-label="Next calls">
        {operations.map((operation) => (
          <Progress key={operation} operation={operation} list={list} />
        ))}
      </ul>
    </>
  )
}

function Progress({ operation, list }: { readonly operation: string; readonly list: ScenarioList }) {
  const name = answerName(operation)
  const rule = list.scenarios.find((one) => one.name === name && one.active && !isUsedUp(one))?.rules[0]
  const [gateway] = outcomesOf('gateway', list.meta.active)
  return (
    rule && (
      <li class="row">
        <Switch name={name} on toggle={() => switchScenario(name, false)} />
        <a href={linkTo('scenarios', name)}>{name}</a>
        <bdi>{rule.says.replace(/^[^:]*: /, '')}</bdi>
        <strong role="status">{gateway === undefined ? callsLeft(rule) : `${gateway} answers in its place`}</strong>
      </li>
    )
  )
}

function ruleFrom(operation: string, { times, answer, delay }: Readonly<Record<string, string>>): Rule {
  const isFault = FAULTS.includes(answer as Fault)
  return {
    on: operation as Rule['on'],
    ...(times && { times: Number(times) }),
    answer: {
      ...(isFault ? { fault: answer as Fault } : answer !== 'as usual' && { status: Number(answer) }),
      ...(delay && { delay: Number(delay) }),
    },
  }
}

/** Without successes: a forced success changes no state. */
function statusesOf(operation: string, names: readonly string[]): readonly string[] {
  const statuses = outcomesOf(operation, names).map(statusOf)
  return statuses.filter((status) => status >= 300).map(String)
}
