import { linkTo, useFilter } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { callAdmin } from '../api.js'
import { Action, Switch } from '../parts/controls.js'
import { ListView, Rows } from '../parts/list-view.js'
import { Badge, counted, Line } from '../parts/texts.js'
import { offerUndo } from '../parts/undo.js'
import { isOutcome, isUsedUp, operationsIn, type ScenarioList, switchScenario } from '../scenarios.js'
import { ScenarioPanel } from './scenarios/scenario.js'
import { WritePanel } from './scenarios/write.js'

/** A new scenario is written at `#/scenarios//`, what the journal has as one at `#/scenarios///recorded`. */
export function Scenarios({ address: [open, written, recorded] }: { readonly address: readonly string[] }) {
  const { data, failure } = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges'])
  const [{ search }, set] = useFilter(['search'], open)
  const all = data?.scenarios ?? []
  const outcomes = all.map(({ name }) => name).filter(isOutcome)
  const found = all
    .filter(
      ({ name, description }) =>
        !isOutcome(name) && `${name}\n${description}`.toLowerCase().includes(search.toLowerCase()),
    )
    // The user's own first.
    .sort((a, b) => Number(a.source === 'shipped') - Number(b.source === 'shipped'))
  const scenarioOf = (name: string) => all.find((one) => one.name === name)
  const switchAllOff = async () => {
    const active = data?.meta.active ?? []
    const switchAll = async (on: boolean) => {
      for (const name of active) await switchScenario(name, on)
    }
    await switchAll(false)
    if (active.length > 0) offerUndo({ done: `${counted(active.length, 'scenario')} off`, undo: () => switchAll(true) })
  }
  return (
    <ListView
      title="Scenarios"
      failure={failure}
      actions={
        <>
          <a class="button go" href={linkTo('scenarios', '', '')}>
            New scenario
          </a>
          <Action call={() => callAdmin('POST', 'scenarios/reset')} ask="Restart every scenario from its first rule?">
            Restart all
          </Action>
          <Action call={switchAllOff}>Switch all off</Action>
        </>
      }
      search={search}
      setSearch={(text) => set({ search: text })}
      panel={
        data &&
        (open ? (
          <ScenarioPanel key={open} name={open} scenario={scenarioOf(open)} operations={operationsIn(outcomes)} />
        ) : (
          written !== undefined && (
            <WritePanel
              key={`${scenarioOf(written)?.name}/${recorded}`}
              from={scenarioOf(written)}
              isRecorded={recorded === 'recorded'}
              outcomes={outcomes}
            />
          )
        ))
      }
    >
      <Rows class="scenarios" open={open}>
        {found.map((scenario) => {
          const { name, description, active, state, source, rules } = scenario
          const count = rules.reduce((sum, rule) => sum + rule.answered, 0)
          return (
            <li key={name}>
              <a href={linkTo('scenarios', name)} aria-current={name === open ? 'true' : undefined}>
                <span class="row">
                  <strong class="line-text">
                    <Line text={name} />
                  </strong>
                  <Badge kind={source} />
                  {state !== 'Started' && <Badge kind="state" text={state} />}
                  {isUsedUp(scenario) && <Badge kind="spent" />}
                  {count > 0 && <span class="quiet">answered {count.toLocaleString()} ×</span>}
                </span>
                <span class="quiet describes">
                  <bdi>{description.slice(0, 300)}</bdi>
                </span>
              </a>
              <Switch name={name} on={active} toggle={(on) => switchScenario(name, on)} />
            </li>
          )
        })}
      </Rows>
    </ListView>
  )
}
