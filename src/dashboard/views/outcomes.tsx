import type { Coverage } from '../../coverage/coverage.js'
import type { Findings } from '../../coverage/mutants/findings.js'
import { useFresh } from '../fresh.js'
import { Problem } from '../parts/problem.js'
import { switchScenario } from '../scenarios.js'
import type { ScenarioList } from '../shapes.js'
import { Gateway } from './outcomes/gateway.js'
import { LastRun, lookedAt } from './outcomes/last-run.js'
import { Matrix, operationOf } from './outcomes/matrix.js'
import type { ViewProps } from './view.js'

/** Every declared outcome: how often it was met, and a switch that forces it. */
export function Outcomes(_: ViewProps) {
  const coverage = useFresh<Coverage>('coverage', ['exchanges', 'journal'])
  const scenarios = useFresh<ScenarioList>('scenarios', ['scenarios'])
  const mutants = useFresh<{ lastRun: Findings | null }>('mutants', [])
  const names = scenarios.data?.scenarios.map(({ name }) => name) ?? []
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
      <Gateway names={names} active={active} toggle={toggle} />
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
