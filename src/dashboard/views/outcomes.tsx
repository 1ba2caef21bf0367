import type { Coverage } from '../../coverage/coverage.js'
import type { Findings } from '../../coverage/mutants/findings.js'
import { useAdminQuery } from '../admin-query.js'
import { Status } from '../parts/marks.js'
import { NextCalls } from '../parts/next-calls.js'
import { Problem } from '../parts/problem.js'
import { Switch } from '../parts/switch.js'
import { switchScenario } from '../scenarios.js'
import type { ScenarioList } from '../shapes.js'
import { LastRun, lookedAt } from './outcomes/last-run.js'
import { Matrix, operationOf } from './outcomes/matrix.js'

/** Every declared outcome: how often it was met, and a switch that forces it. */
export function Outcomes() {
  const coverage = useAdminQuery<Coverage>('coverage', ['exchanges', 'journal'])
  const scenarios = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges', 'journal'])
  const mutants = useAdminQuery<{ lastRun: Findings | null }>('mutants', [])
  const gateway = scenarios.data?.scenarios.map(({ name }) => name).filter((name) => name.startsWith('gateway:')) ?? []
  const active = scenarios.data?.meta.active ?? []
  const toggle = async (name: string, on: boolean) => {
    await switchScenario(name, on)
    // Of an operation, one outcome answers: the one that was switched on last.
    const others = on ? active.filter((one) => one !== name && operationOf(one) === operationOf(name)) : []
    for (const other of others) if (/:\d{3}$/.test(other)) await switchScenario(other, false)
    scenarios.refresh()
  }
  return (
    <div class="page">
      <header>
        <h1 tabIndex={-1}>Outcomes</h1>
      </header>
      <Problem failure={coverage.failure ?? scenarios.failure} />
      {coverage.data && <Summary of={coverage.data} />}
      <h2>Next calls</h2>
      {scenarios.data && <NextCalls list={scenarios.data} refresh={scenarios.refresh} />}
      <p class="quiet">
        A switch forces its outcome: every call of the operation gets it, whatever the request, until you turn the
        switch off again.
      </p>
      {coverage.data && (
        <Matrix
          outcomes={coverage.data.outcomes}
          looked={lookedAt(mutants.data?.lastRun)}
          active={active}
          toggle={toggle}
        />
      )}
      <LastRun of={mutants.data?.lastRun} />
      <section class="gateway" aria-labelledby="gateway-title">
        <h2 id="gateway-title">Gateway</h2>
        <p class="quiet">
          A proxy between client and service can give any call these answers. They do not count as covered.
        </p>
        <ul>
          {gateway.map((name) => (
            <li key={name}>
              <Status status={Number(name.replace(/^.*:/, ''))} />
              <Switch name={name} on={active.includes(name)} toggle={(on) => toggle(name, on)} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function Summary({ of: { covered, total } }: { readonly of: Coverage }) {
  return (
    <div class="coverage">
      <p>
        <strong>{covered}</strong> of {total} covered
      </p>
      <progress value={covered} max={total} aria-label="Outcomes covered" />
    </div>
  )
}
