import { useState } from 'preact/hooks'
import { linkTo } from '../../address.js'
import { callAdmin, get } from '../../admin.js'
import type { ExampleCall } from '../../parts/commands.js'
import { Action, Choice, Problem, Switch, useAct } from '../../parts/controls.js'
import { Panel } from '../../parts/panel.js'
import { type ApiCall, SendButton } from '../../parts/send.js'
import { Badge, Line, Section } from '../../parts/texts.js'
import { callsLeft, operationsIn, type ScenarioView, scenarioPath, switchScenario } from '../../scenarios.js'

type ScenarioPanelProps = { name: string; scenario: ScenarioView | undefined; outcomes: readonly string[] }

export function ScenarioPanel({ name, scenario, outcomes }: ScenarioPanelProps) {
  const panel = { title: <Line text={name} />, of: name, back: linkTo('scenarios') }
  const path = scenarioPath(name)
  if (scenario === undefined) return <Panel {...panel} gone={`The scenario ${name} does not exist.`} />
  const { active, source, description, rules } = scenario
  const isDefined = source === 'defined'
  const edit = source === 'file' || isDefined ? 'Edit' : 'Edit a copy'
  const called = operationsIn(outcomes).filter((one) =>
    rules.some(({ on }) => on === '*' || [on].flat().includes(one as never)),
  )
  const remove = async () => {
    await callAdmin('DELETE', path)
    location.hash = panel.back
  }
  return (
    <Panel {...panel}>
      <p class="row">
        <span class="narrow">
          <Switch name={name} on={active} toggle={(on) => switchScenario(name, on)} />
        </span>
        <Badge kind={source} /> {isDefined && <span class="quiet">kept until the next reset</span>}
      </p>
      <p>{description}</p>
      <StateField scenario={scenario} />
      <Section title="Rules">
        <ol>
          {rules.map((rule, at) => (
            <li key={at}>
              {callsLeft(rule) === 'spent' ? <s>{rule.says}</s> : <bdi>{rule.says}</bdi>}
              <p class="quiet">{callsLeft(rule)}</p>
            </li>
          ))}
        </ol>
      </Section>
      {called.length > 0 && <TryIt name={name} operations={called} />}
      <p class="row">
        <Action label="Restart" call={() => callAdmin('POST', `${path}/reset`)} />
        <a class="button" href={linkTo('scenarios', '', name)}>
          {edit}
        </a>
        <a class="button" href={`${path}?format=yaml`} download={`${name}.yaml`}>
          Download
        </a>
        {isDefined && <Action class="danger" label="Delete" ask={`Delete the scenario ${name}?`} call={remove} />}
      </p>
    </Panel>
  )
}

function StateField({ scenario: { name, rules, state } }: { readonly scenario: ScenarioView }) {
  const { run, failure } = useAct()
  const named = rules.flatMap(({ then, when }) => [then, when?.state].flat().filter((one) => one !== undefined))
  const states = [...new Set(['Started', state, ...named])]
  if (states.length === 1) return null
  const put = (chosen: string) => run(() => callAdmin('PUT', scenarioPath(name), { state: chosen }))
  return (
    <p class="row">
      State <Choice key={state} label="State" value={state} of={states} set={put} />
      <Problem failure={failure} />
    </p>
  )
}

function TryIt({ name, operations }: { readonly name: string; readonly operations: readonly string[] }) {
  const [chosen, choose] = useState('')
  const operation = operations.includes(chosen) ? chosen : (operations[0] ?? '')
  const call = async () => exampleCall(await get(`examples/${operation}`), name)
  return (
    <Section title="Try it">
      <p class="quiet">One call plays this scenario, even while it is off.</p>
      <p class="row">
        <Choice label="Operation to call" value={operation} of={operations} set={choose} />
        <SendButton key={operation} label="Try it" call={call} />
      </p>
    </Section>
  )
}

function exampleCall({ method, path, headers, form }: ExampleCall, scenario: string): ApiCall {
  const body = new FormData()
  for (const { name, value = '', file } of form) {
    if (file === undefined) body.append(name, value)
    else {
      const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0))
      body.append(name, new File([bytes], file.filename, { type: file.type }))
    }
  }
  const prefer = `scenario="${scenario}"`
  return { method, path, headers: { ...headers, prefer }, body: form.length === 0 ? null : body }
}
