import { useState } from 'preact/hooks'
import type { ScenarioView } from '../../../../engine/http/admin/scenarios.js'
import { callAdmin, fetchAdmin, useAdminQuery } from '../admin.js'
import { linkTo, useFilter } from '../page.js'
import { type ApiCall, SendButton } from '../parts/call-buttons.js'
import { Action, Choice, Problem, Switch, useAct } from '../parts/controls.js'
import { ListView, matches, Row } from '../parts/list.js'
import { Panel } from '../parts/panel.js'
import { Badge, Line, reveal, Section } from '../parts/texts.js'
import {
  callsLeft,
  isAllSpent,
  isOutcome,
  operationsIn,
  type ScenarioList,
  scenarioPath,
  switchOff,
  switchScenario,
} from '../scenarios.js'
import { WritePanel } from './write.js'

/**
 * `#/scenarios//` is the form for a new scenario, `#/scenarios///recorded` for one made from the journal.
 * `#/scenarios//NAME/file` edits the file even if another scenario with its name hides it.
 */
export function Scenarios({ address: [open, edited, source] }: { readonly address: readonly string[] }) {
  const { data, failure } = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges'])
  const [{ search }, set] = useFilter({ search: '' })
  const all = data?.scenarios ?? []
  const outcomes = all.map(({ name }) => name).filter(isOutcome)
  const found = all.filter(({ name, description }) => !isOutcome(name) && matches(`${name}\n${description}`, search))
  const sorted = found.sort((a, b) => Number(a.source === 'shipped') - Number(b.source === 'shipped'))
  const named = all.find(({ name }) => name === (open || edited))
  const actions = (
    <>
      <a class="button main" href={linkTo('scenarios', '', '')}>
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
      edited !== undefined && (
        <WritePanel
          key={`${edited}/${source}`}
          name={edited}
          from={source === 'file' ? undefined : named}
          isRecorded={source === 'recorded'}
          {...{ outcomes }}
        />
      )
    ))
  return (
    <ListView title="Scenarios" rowCount={found.length} {...{ open, search, set, actions, failure, panel }}>
      <ol class="rows scenarios">
        {sorted.map((one) => (
          <ScenarioRow key={one.name} of={one} isOpen={one.name === open} />
        ))}
      </ol>
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
      {isAllSpent(of) && <Badge kind="spent" />}{' '}
      {count > 0 && <span class="quiet">answered {count.toLocaleString()} ×</span>}
      <p class="quiet">{reveal(description.slice(0, 300))}</p>
    </Row>
  )
}

function ScenarioPanel({ name, scenario, outcomes }: { name: string; scenario?: ScenarioView; outcomes: string[] }) {
  const panel = { title: <Line text={name} />, focusKey: name, back: linkTo('scenarios') }
  const path = scenarioPath(name)
  if (scenario === undefined) return <Panel {...panel} missing={`The scenario ${name} does not exist.`} />
  const { active, source, description, rules } = scenario
  const isDefined = source === 'defined'
  const editLabel = source === 'file' || isDefined ? 'Edit' : 'Edit a copy'
  const operations = operationsIn(outcomes).filter((one) =>
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
      <p>{reveal(description)}</p>
      <StateField scenario={scenario} />
      <Section title="Rules">
        <ol>
          {rules.map((rule, at) => (
            <li key={at}>
              <bdi>{callsLeft(rule) === 'spent' ? <s>{reveal(rule.description)}</s> : reveal(rule.description)}</bdi>
              <p class="quiet">{callsLeft(rule)}</p>
            </li>
          ))}
        </ol>
      </Section>
      {operations.length > 0 && <TryIt name={name} operations={operations} />}
      <p class="row">
        <Action label="Restart" call={() => callAdmin('POST', `${path}/reset`)} />
        <a class="button" href={linkTo('scenarios', '', name)}>
          {editLabel}
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
  const call = async () => {
    const example = await fetchAdmin<ApiCall>(`examples/${operation}`)
    const separator = example.path.includes('?') ? '&' : '?'
    return { ...example, path: `${example.path}${separator}__scenario=${encodeURIComponent(name)}` }
  }
  return (
    <Section title="Try it">
      <p class="quiet">Sends one call to this scenario, even if it is off.</p>
      <p class="row">
        <Choice label="Operation to call" value={operation} of={operations} set={choose} />
        <SendButton key={operation} label="Try it" call={call} />
      </p>
    </Section>
  )
}
