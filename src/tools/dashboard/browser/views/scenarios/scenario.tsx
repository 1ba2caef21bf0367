import { useState } from 'preact/hooks'
import { linkTo } from '../../address.js'
import { callAdmin, get } from '../../api.js'
import type { ExampleCall } from '../../example.js'
import { Action, Options, Problem, Switch, useAct } from '../../parts/controls.js'
import { GonePanel, Panel } from '../../parts/panel.js'
import { type ApiCall, SendButton } from '../../parts/send-button.js'
import { Badge, Line } from '../../parts/texts.js'
import { callsLeft, type ScenarioView, scenarioPath, switchScenario } from '../../scenarios.js'

interface ScenarioPanelProps {
  readonly name: string
  readonly scenario: ScenarioView | undefined
  readonly operations: readonly string[]
}

export function ScenarioPanel({ name, scenario, operations }: ScenarioPanelProps) {
  const back = linkTo('scenarios')
  const path = scenarioPath(name)
  if (scenario === undefined) {
    return (
      <GonePanel title={<Line text={name} />} of={name} back={back}>
        The scenario <bdi>{name}</bdi> does not exist.
      </GonePanel>
    )
  }
  const { active, source, description, rules } = scenario
  const isDefined = source === 'defined'
  const called = operations.filter((one) => rules.some(({ on }) => on === '*' || [on].flat().includes(one as never)))
  const remove = async () => {
    await callAdmin('DELETE', path)
    location.hash = back
  }
  return (
    <Panel title={<Line text={name} />} of={name} back={back}>
      <p class="row">
        <span class="in-place">
          <Switch name={name} on={active} toggle={(on) => switchScenario(name, on)} />
        </span>
        <Badge kind={source} />
      </p>
      <p>
        <bdi>{description}</bdi>
      </p>
      <StateField scenario={scenario} />
      <h3>Rules</h3>
      <ol class="rules">
        {rules.map((rule, at) => (
          <li key={at} class={callsLeft(rule) === 'spent' ? 'spent' : ''}>
            <bdi>{rule.says}</bdi>
            <p class="quiet">{callsLeft(rule)}</p>
          </li>
        ))}
      </ol>
      <TryIt name={name} operations={called} />
      <p class="row">
        <Action call={() => callAdmin('POST', `${path}/reset`)}>Restart</Action>
        <a class="button" href={linkTo('scenarios', '', name)}>
          {isDefined ? 'Edit' : 'Edit a copy'}
        </a>
        <a class="button" href={`${path}?format=yaml`} download={`${name}.yaml`}>
          Download
        </a>
        {isDefined && (
          <Action class="danger" ask={`Delete the scenario ${name}?`} call={remove}>
            Delete
          </Action>
        )}
      </p>
    </Panel>
  )
}

function StateField({ scenario: { name, rules, state } }: { readonly scenario: ScenarioView }) {
  const { run, failure } = useAct()
  const states = new Set(['Started', state, ...rules.flatMap(({ then, when }) => [then, when?.state].flat())])
  states.delete(undefined)
  if (states.size === 1) return null
  const put = (chosen: string) => run(() => callAdmin('PUT', scenarioPath(name), { state: chosen }))
  return (
    <>
      <label class="row">
        State
        <select key={state} value={state} onChange={({ currentTarget }) => put(currentTarget.value)}>
          <Options of={[...states] as string[]} selected={state} />
        </select>
      </label>
      <Problem failure={failure} />
    </>
  )
}

function TryIt({ name, operations }: { readonly name: string; readonly operations: readonly string[] }) {
  const [chosen, choose] = useState('')
  const operation = operations.includes(chosen) ? chosen : operations[0]
  if (operation === undefined) return null
  return (
    <section aria-labelledby="try-title">
      <h3 id="try-title">Try it</h3>
      <p class="quiet">One call plays this scenario, even while it is off.</p>
      <div class="row">
        <select aria-label="Operation to call" value={operation} onChange={(e) => choose(e.currentTarget.value)}>
          <Options of={operations} />
        </select>
        <SendButton key={operation} call={async () => exampleCall(await get(`examples/${operation}`), name)}>
          Try it
        </SendButton>
      </div>
    </section>
  )
}

function exampleCall({ method, path, token, form }: ExampleCall, scenario: string): ApiCall {
  const body = new FormData()
  for (const { name, value = '', file } of form) {
    if (file === undefined) body.append(name, value)
    else {
      const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0))
      body.append(name, new File([bytes], file.filename, { type: file.type }))
    }
  }
  return {
    method,
    path,
    headers: [
      ['authorization', `Bearer ${token}`],
      ['prefer', `scenario="${scenario}"`],
    ],
    body: form.length === 0 ? undefined : body,
  }
}
