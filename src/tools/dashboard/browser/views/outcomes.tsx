import { useState } from 'preact/hooks'
import type { Fault, Rule } from '../../../../engine/files/scenario.js'
import type { Coverage, OutcomeCoverage } from '../../../report/report.js'
import { useAdminQuery } from '../admin.js'
import { apiFacts, linkTo } from '../page.js'
import { Form, Head, Options, Problem, Switch, useAct } from '../parts/controls.js'
import { reveal, Section, Status } from '../parts/texts.js'
import {
  answerCalls,
  answerName,
  callsLeft,
  isAllSpent,
  operationIn,
  operationsIn,
  outcomesOf,
  type ScenarioList,
  statusOf,
  switchOff,
  switchScenario,
} from '../scenarios.js'

export function Outcomes() {
  const coverage = useAdminQuery<Coverage>('coverage', ['exchanges', 'journal'])
  const scenarios = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges'])
  const active = scenarios.data?.meta.active ?? []
  const names = scenarios.data?.scenarios.map(({ name }) => name) ?? []
  const toggle = async (name: string, on: boolean) => {
    await switchScenario(name, on)
    // Only one outcome of an operation answers: the last one switched on.
    if (on) await switchOff(outcomesOf(operationIn(name), active), name)
  }
  return (
    <div class="page">
      <header>
        <h1 tabIndex={-1}>Outcomes</h1>
      </header>
      <Problem failure={coverage.failure ?? scenarios.failure} />
      {coverage.data && (
        <p class="row">
          <span>
            <strong>{coverage.data.covered}</strong> of {coverage.data.total} met
          </span>
          <progress value={coverage.data.covered} max={coverage.data.total} aria-label="Outcomes met" />
        </p>
      )}
      <p class="quiet">
        A switch forces its outcome: every call of the operation gets it, whatever the request, until you turn the
        switch off again.
      </p>
      {coverage.data && <Matrix outcomes={coverage.data.outcomes} active={active} toggle={toggle} />}
      <Section title="Gateway" level="h2">
        <p class="quiet">
          A proxy between client and service can give any call these answers. They do not count as met.
        </p>
        <ul class="row">
          {outcomesOf('gateway', names).map((name) => (
            <li key={name} class="row">
              <Status of={statusOf(name)} />
              <Switch name={name} on={active.includes(name)} toggle={(on) => toggle(name, on)} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Next calls" level="h2">
        {scenarios.data && <NextCalls list={scenarios.data} />}
      </Section>
    </div>
  )
}

interface CellProps {
  readonly active: readonly string[]
  readonly toggle: (name: string, on: boolean) => Promise<void>
}

function Matrix({ outcomes, ...props }: CellProps & { readonly outcomes: readonly OutcomeCoverage[] }) {
  const statuses = [...new Set(outcomes.map(({ outcome }) => statusOf(outcome)))].sort((a, b) => a - b)
  const operations = [...new Set(outcomes.map(({ outcome }) => operationIn(outcome)))]
  return (
    <table class="matrix cards">
      <Head of={['Operation', ...statuses.map((status) => <Status key={status} of={status} />)]} />
      <tbody>
        {operations.map((operation) => (
          <tr key={operation}>
            <th scope="row">
              <a href={`docs#${operation}`}>{operation}</a>
            </th>
            {statuses.map((status) => (
              <Cell key={status} of={outcomes.find(({ outcome }) => outcome === `${operation}:${status}`)} {...props} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ of, active, toggle }: CellProps & { readonly of: OutcomeCoverage | undefined }) {
  if (of === undefined) return <td />
  const { outcome, count } = of
  const [operation, status] = [operationIn(outcome), statusOf(outcome)]
  const isOn = active.includes(outcome)
  // Rules for the next calls answer first, then gateways.
  const nextCalls = active.filter((name) => name === answerName(operation))
  const [answering] = [...nextCalls, ...['gateway', operation].flatMap((one) => outcomesOf(one, active))]
  const requests = `${linkTo('requests')}?${new URLSearchParams({ operation, status: String(status) })}`
  return (
    <td data-label={status}>
      {/* A forced success is a sample that changes no state. */}
      {status >= 300 && <Switch name={outcome} on={isOn} toggle={(on) => toggle(outcome, on)} />}{' '}
      {isOn && answering !== outcome ? (
        <small class="bad" title={`${answering} answers in its place`}>
          unused
        </small>
      ) : count === 0 ? (
        <small class="quiet">not met</small>
      ) : (
        <small>
          <a
            href={requests}
            aria-label={`Show the ${count} requests with ${outcome}`}
          >{`${count.toLocaleString()} ×`}</a>
        </small>
      )}
    </td>
  )
}

const FAULTS = apiFacts.scenarioKeys.fault ?? []

function NextCalls({ list }: { readonly list: ScenarioList }) {
  const names = list.scenarios.map(({ name }) => name)
  const operations = operationsIn(names)
  const [chosen = '', choose] = useState(operations[0])
  const { run, busy, failure } = useAct()
  const documented = statusesOf(chosen, names)
  const gateway = statusesOf('gateway', names).filter((one) => !documented.includes(one))
  const answers = { Documented: documented, Gateway: gateway, Fault: FAULTS }
  const answering = list.scenarios.filter((one) => {
    return one.active && !isAllSpent(one) && operations.some((operation) => one.name === answerName(operation))
  })
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
          How many
          <input name="times" type="number" min={1} defaultValue="1" placeholder="all" />
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
        {answering.map(({ name, rules: [rule] }) => (
          <li key={name} class="row">
            <Switch name={name} on toggle={() => switchScenario(name, false)} />
            <a href={linkTo('scenarios', name)}>{name}</a>
            <bdi>{rule && reveal(rule.description.replace(/^[^:]*: /, ''))}</bdi>
            <strong role="status">{rule && callsLeft(rule)}</strong>
          </li>
        ))}
      </ul>
    </>
  )
}

function ruleFrom(operation: string, { times, answer, delay }: Readonly<Record<string, string>>): Rule {
  const isFault = answer !== undefined && FAULTS.includes(answer)
  return {
    on: operation as Rule['on'],
    ...(times && { times: Number(times) }),
    answer: {
      ...(isFault ? { fault: answer as Fault } : answer !== 'as usual' && { status: Number(answer) }),
      ...(delay && { delay: Number(delay) }),
    },
  }
}

/** Without successes, which would change no state. */
function statusesOf(operation: string, names: readonly string[]): readonly string[] {
  const statuses = outcomesOf(operation, names).map(statusOf)
  return statuses.filter((status) => status >= 300).map(String)
}
