import { linkTo, useFilter } from '../address.js'
import { callAdmin, useAdminQuery } from '../admin.js'
import { Action, Switch } from '../parts/controls.js'
import { has, ListView, Row, Rows } from '../parts/list.js'
import { Badge, Line } from '../parts/texts.js'
import { isOutcome, isUsedUp, type ScenarioList, type ScenarioView, switchOff, switchScenario } from '../scenarios.js'
import { ScenarioPanel } from './scenarios/scenario.js'
import { WritePanel } from './scenarios/write.js'

/**
 * A new scenario is written at `#/scenarios//`, what the journal has as one at `#/scenarios///recorded`. At
 * `#/scenarios//NAME/file`, a file is edited even if another scenario with its name hides it.
 */
export function Scenarios({ address: [open, written, source] }: { readonly address: readonly string[] }) {
  const { data, failure } = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges'])
  const [{ search }, set] = useFilter({ search: '' }, open)
  const all = data?.scenarios ?? []
  const outcomes = all.map(({ name }) => name).filter(isOutcome)
  const found = all.filter(({ name, description }) => !isOutcome(name) && has(`${name}\n${description}`, search))
  // The user's own first.
  const sorted = found.sort((a, b) => Number(a.source === 'shipped') - Number(b.source === 'shipped'))
  const named = all.find(({ name }) => name === (open || written))
  const actions = (
    <>
      <a class="button go" href={linkTo('scenarios', '', '')}>
        New scenario
      </a>
      <Action label="Restart all" ask={RESTART} call={() => callAdmin('POST', 'scenarios/reset')} />
      <Action label="Switch all off" call={() => switchOff(data?.meta.active ?? [])} />
    </>
  )
  const panel =
    data &&
    (open ? (
      <ScenarioPanel key={open} name={open} scenario={named} outcomes={outcomes} />
    ) : (
      written !== undefined && (
        <WritePanel
          key={`${written}/${source}`}
          name={written}
          from={source === 'file' ? undefined : named}
          isRecorded={source === 'recorded'}
          {...{ outcomes }}
        />
      )
    ))
  return (
    <ListView title="Scenarios" {...{ search, set, actions, failure, panel }}>
      <Rows class="scenarios" open={open}>
        {sorted.map((one) => (
          <ScenarioRow key={one.name} of={one} isOpen={one.name === open} />
        ))}
      </Rows>
    </ListView>
  )
}

const RESTART = 'Restart every scenario from its first rule?'

function ScenarioRow({ of, isOpen }: { readonly of: ScenarioView; readonly isOpen: boolean }) {
  const { name, description, active, state, source, rules } = of
  const count = rules.reduce((sum, rule) => sum + rule.answered, 0)
  const toggle = <Switch name={name} on={active} toggle={(on) => switchScenario(name, on)} />
  return (
    <Row to={linkTo('scenarios', name)} isOpen={isOpen} beside={toggle}>
      <strong>
        <Line text={name} />
      </strong>{' '}
      <Badge kind={source} /> {state !== 'Started' && <Badge kind="state" text={state} />}{' '}
      {isUsedUp(of) && <Badge kind="spent" />}{' '}
      {count > 0 && <span class="quiet">answered {count.toLocaleString()} ×</span>}
      <p class="quiet">{description.slice(0, 300)}</p>
    </Row>
  )
}
