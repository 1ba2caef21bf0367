import { linkTo } from '../../address.js'
import { call } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { Action } from '../../parts/action.js'
import { Badge, Line } from '../../parts/marks.js'
import { leftOf } from '../../parts/next-calls.js'
import { Gone, Panel } from '../../parts/panel.js'
import { Problem } from '../../parts/problem.js'
import { Switch } from '../../parts/switch.js'
import { scenarioPath } from '../../scenarios.js'
import type { RuleView, ScenarioView } from '../../shapes.js'
import { TryIt } from './try-it.js'

interface Props {
  readonly name: string
  readonly scenario: ScenarioView | undefined
  readonly operations: readonly string[]
  readonly change: (body: object) => Promise<void>
  readonly refresh: () => void
}

/** One scenario: what it does, how far it has got, and what can be done with it. */
export function ScenarioPanel({ name, scenario, operations, change, refresh }: Props) {
  return (
    <Panel title={<Line text={name} />} of={name} back={['scenarios']}>
      {scenario === undefined ? (
        <Gone back={['scenarios']}>
          The scenario <bdi>{name}</bdi> does not exist.
        </Gone>
      ) : (
        <>
          <p class="summary in-place">
            <Switch name={name} on={scenario.active} toggle={(active) => change({ active })} />
            <span>{scenario.active ? 'on' : 'off'}</span>
            <Badge kind={scenario.source} />
          </p>
          <p>
            <bdi>{scenario.description}</bdi>
          </p>
          <StateField key={scenario.state} scenario={scenario} change={change} />
          <h3>Rules</h3>
          <ol class="rules">
            {scenario.rules.map((rule, at) => (
              <Rule key={at} of={rule} />
            ))}
          </ol>
          <TryIt name={name} operations={operationsOf(scenario, operations)} />
          <p class="buttons">
            <Action call={() => call(`${scenarioPath(name)}/reset`, { method: 'POST' }).then(refresh)}>
              Start again
            </Action>
            <a class="button" href={linkTo('scenarios', '', name)}>
              {scenario.source === 'defined' ? 'Edit' : 'Edit a copy'}
            </a>
            <a class="button" href={`${scenarioPath(name)}?format=yaml`} download={`${name}.yaml`}>
              Save as a file
            </a>
            {scenario.source === 'defined' && (
              <Action
                kind="danger"
                ask={`Delete the scenario ${name}?`}
                call={async () => {
                  await call(scenarioPath(name), { method: 'DELETE' })
                  location.hash = '#/scenarios'
                  refresh()
                }}
              >
                Delete
              </Action>
            )}
          </p>
        </>
      )}
    </Panel>
  )
}

/** The operations that some rule is about. */
function operationsOf({ rules }: ScenarioView, all: readonly string[]): readonly string[] {
  return all.filter((one) => rules.some(({ on }) => on === '*' || [on].flat().includes(one as never)))
}

function Rule({ of: rule }: { readonly of: RuleView }) {
  return (
    <li>
      <p>
        <bdi>{rule.says}</bdi>
      </p>
      <p class="quiet">{leftOf(rule)}</p>
    </li>
  )
}

/** Where a scenario with several states stands; any of them can be set. */
function StateField({
  scenario: { rules, state },
  change,
}: Pick<Props, 'change'> & { readonly scenario: ScenarioView }) {
  const { run, failure } = useAct()
  const states = new Set([
    'Started',
    state,
    ...rules.flatMap(({ then, when }) => [then ?? [], when?.state ?? []].flat()),
  ])
  if (states.size === 1) return null
  return (
    <p class="state-field">
      <label>
        State{' '}
        <select value={state} onChange={({ currentTarget }) => run(() => change({ state: currentTarget.value }))}>
          {[...states].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <Problem failure={failure} />
    </p>
  )
}
