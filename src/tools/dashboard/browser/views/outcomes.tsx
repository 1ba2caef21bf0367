import type { Coverage, OutcomeCoverage } from '../../../report/outcome-coverage.js'
import { linkTo } from '../address.js'
import { useAdminQuery } from '../admin.js'
import { Head, Problem, Switch } from '../parts/controls.js'
import { NextCalls } from '../parts/next-calls.js'
import { Breaking, Section, Status } from '../parts/texts.js'
import { operationIn, outcomesOf, type ScenarioList, statusOf, switchOff, switchScenario } from '../scenarios.js'

export function Outcomes() {
  const coverage = useAdminQuery<Coverage>('coverage', ['exchanges', 'journal'])
  const scenarios = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges'])
  const active = scenarios.data?.meta.active ?? []
  const names = scenarios.data?.scenarios.map(({ name }) => name) ?? []
  const toggle = async (name: string, on: boolean) => {
    await switchScenario(name, on)
    // Only the outcome that was switched on last may answer.
    const others = on ? outcomesOf(operationIn(name), active) : []
    if (others.length > 0) await switchOff(others, `: ${name} answers`)
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
  /** In the order in which they were switched on. */
  readonly active: readonly string[]
  readonly toggle: (name: string, on: boolean) => Promise<unknown>
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
              <a href={`docs#${operation}`}>
                <Breaking text={operation} behind={/(?=[A-Z])/} />
              </a>
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
  // A gateway answers before outcomes; of these, the first one that is on.
  const [answering] = ['gateway', operation].flatMap((one) => outcomesOf(one, active))
  const requests = `${linkTo('requests')}?${new URLSearchParams({ operation, status: String(status) })}`
  return (
    <td data-label={status} class={isOn ? 'forced' : undefined}>
      {/* A forced success is a sample that changes no state. */}
      {status >= 300 && <Switch name={outcome} on={isOn} toggle={(on) => toggle(outcome, on)} />}{' '}
      {isOn && answering !== outcome ? (
        <small class="bad" title={`${answering} answers in its place`}>
          overridden
        </small>
      ) : count === 0 ? (
        <small class="quiet">not met</small>
      ) : (
        <small>
          <a
            href={requests}
            aria-label={`${outcome}: ${count} ×, show its requests`}
          >{`${count.toLocaleString()} ×`}</a>
        </small>
      )}
    </td>
  )
}
