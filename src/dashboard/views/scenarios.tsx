import { type Address, linkTo, useFilter } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { call } from '../api.js'
import { Action } from '../parts/action.js'
import { ListView } from '../parts/list-view.js'
import { Badge, Line } from '../parts/marks.js'
import { operationsIn } from '../parts/next-calls.js'
import { Switch } from '../parts/switch.js'
import { scenarioPath, switchScenario } from '../scenarios.js'
import type { ScenarioList, ScenarioView } from '../shapes.js'
import { ScenarioPanel } from './scenarios/scenario.js'
import { WritePanel } from './scenarios/write.js'

/** The word that stands for the editor in the address, where no scenario's name can stand. */
const WRITE = ''

/** The scenarios that are files or were defined; one opens beside them, and new ones are written. */
export function Scenarios({ address: [open, written] }: { readonly address: Address }) {
  const { data, failure, refresh } = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges', 'journal'])
  const [{ search }, set] = useFilter({ search: '' }, open)
  const all = data?.scenarios ?? []
  // Outcomes and gateway statuses have a view of their own.
  const outcomes = all.map(({ name }) => name).filter((name) => /:\d{3}$/.test(name))
  const found = all.filter(
    ({ name, description }) =>
      !outcomes.includes(name) && `${name}\n${description}`.toLowerCase().includes(search.toLowerCase()),
  )
  const change = async (name: string, body: object) => {
    await call(scenarioPath(name), { method: 'PUT', body })
    refresh()
  }
  const restartAll = () => call('scenarios/reset', { method: 'POST' }).then(refresh)
  const switchAllOff = async () => {
    for (const name of data?.meta.active ?? []) await switchScenario(name, false)
    refresh()
  }
  return (
    <ListView
      title="Scenarios"
      open={open}
      kind="scenarios"
      failure={failure}
      actions={
        <>
          <a class="button go" href={linkTo('scenarios', WRITE, '')}>
            Write one
          </a>
          <Action call={restartAll} ask="Restart every scenario from its first rule?">
            Restart all
          </Action>
          <Action call={switchAllOff} ask="Switch all scenarios and outcomes off?">
            Switch all off
          </Action>
        </>
      }
      search={search}
      setSearch={(text) => set({ search: text })}
      rows={found.map((one) => (
        <Row key={one.name} scenario={one} open={open} toggle={(active) => change(one.name, { active })} />
      ))}
      panel={
        data &&
        (open ? (
          <ScenarioPanel
            key={open}
            name={open}
            scenario={all.find(({ name }) => name === open)}
            operations={operationsIn(outcomes)}
            change={(body) => change(open, body)}
            refresh={refresh}
          />
        ) : (
          open === WRITE &&
          written !== undefined && (
            <WritePanel key={written} from={all.find(({ name }) => name === written)} outcomes={outcomes} />
          )
        ))
      }
    />
  )
}

interface RowProps {
  readonly scenario: ScenarioView
  readonly open: string | undefined
  readonly toggle: (active: boolean) => Promise<void>
}

function Row({ scenario: { name, description, active, state, source, rules }, open, toggle }: RowProps) {
  return (
    <li>
      <a href={linkTo('scenarios', name)} aria-current={name === open ? 'true' : undefined}>
        <strong>
          <Line text={name} />
        </strong>
        <span class="marks">
          <Badge kind={source} />
          {state !== 'Started' && <Badge kind="state" text={state} />}
          <span class="quiet">answered {rules.reduce((sum, rule) => sum + rule.answered, 0)} ×</span>
        </span>
        <span class="quiet describes">
          <bdi>{description.slice(0, 300)}</bdi>
        </span>
      </a>
      <Switch name={name} on={active} toggle={toggle} />
    </li>
  )
}
