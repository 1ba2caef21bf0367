import type { Coverage } from '../../../report/outcome-coverage.js'
import { useAdminQuery } from '../admin-query.js'
import { Problem, Switch } from '../parts/controls.js'
import { NextCalls } from '../parts/next-calls.js'
import { Status } from '../parts/texts.js'
import { operationIn, outcomesOf, type ScenarioList, statusOf, switchScenario } from '../scenarios.js'
import { Matrix } from './outcomes/matrix.js'

export function Outcomes() {
  const coverage = useAdminQuery<Coverage>('coverage', ['exchanges', 'journal'])
  const scenarios = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges'])
  const active = scenarios.data?.meta.active ?? []
  const names = scenarios.data?.scenarios.map(({ name }) => name) ?? []
  const toggle = async (name: string, on: boolean) => {
    await switchScenario(name, on)
    // Only the outcome that was switched on last may answer.
    const others = on ? outcomesOf(operationIn(name), active) : []
    for (const other of others) await switchScenario(other, false)
  }
  return (
    <div class="page">
      <header>
        <h1 tabIndex={-1}>Outcomes</h1>
      </header>
      <Problem failure={coverage.failure ?? scenarios.failure} />
      {coverage.data && (
        <div class="row coverage">
          <p>
            <strong>{coverage.data.covered}</strong> of {coverage.data.total} met
          </p>
          <progress value={coverage.data.covered} max={coverage.data.total} aria-label="Outcomes met" />
        </div>
      )}
      <p class="quiet">
        A switch forces its outcome: every call of the operation gets it, whatever the request, until you turn the
        switch off again.
      </p>
      {coverage.data && <Matrix outcomes={coverage.data.outcomes} active={active} toggle={toggle} />}
      <section aria-labelledby="gateway-title">
        <h2 id="gateway-title">Gateway</h2>
        <p class="quiet">
          A proxy between client and service can give any call these answers. They do not count as met.
        </p>
        <ul class="row gateway">
          {outcomesOf('gateway', names).map((name) => (
            <li key={name} class="row">
              <Status of={statusOf(name)} />
              <Switch name={name} on={active.includes(name)} toggle={(on) => toggle(name, on)} />
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="next-title">
        <h2 id="next-title">Next calls</h2>
        {scenarios.data && <NextCalls list={scenarios.data} />}
      </section>
    </div>
  )
}
