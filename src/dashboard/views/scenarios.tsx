import { useState } from 'preact/hooks'
import { linkTo } from '../address.js'
import { call } from '../api.js'
import { useFresh } from '../fresh.js'
import { Action } from '../parts/action.js'
import { Badge, Line } from '../parts/marks.js'
import { Problem } from '../parts/problem.js'
import { SearchBox } from '../parts/search-box.js'
import { Switch } from '../parts/switch.js'
import { scenarioPath } from '../scenarios.js'
import type { ScenarioList } from '../shapes.js'
import { moveByArrows } from './rows.js'
import { ScenarioPanel } from './scenarios/scenario.js'
import { WritePanel } from './scenarios/write.js'
import type { ViewProps } from './view.js'

/** The word that stands for the form in the address, where no scenario's name can stand. */
const WRITE = ''

/** The scenarios that are files or were defined; one opens beside them, and new ones are written. */
export function Scenarios({ address: [open, written] }: ViewProps) {
  const { data, failure, refresh } = useFresh<ScenarioList>('scenarios', ['scenarios', 'exchanges', 'journal'])
  const [text, search] = useState('')
  const scenarios = data?.scenarios.filter(({ name }) => !isOutcome(name)) ?? []
  const found = scenarios.filter(({ name, description }) =>
    `${name}\n${description}`.toLowerCase().includes(text.toLowerCase()),
  )
  const change = async (name: string, body: object) => {
    await call(scenarioPath(name), { method: 'PUT', body })
    refresh()
  }
  const outcomes = data?.scenarios.map(({ name }) => name).filter((name) => isOutcome(name) && !/^gateway:/.test(name))
  const operations = [...new Set(outcomes?.map((name) => name.replace(/:\d+$/, '')))]
  const resetAll = () => call('scenarios/reset', { method: 'POST' }).then(refresh)
  const writes = open === WRITE && written !== undefined
  return (
    <div class={`split ${open || writes ? 'opened' : ''}`}>
      <section class="list" aria-labelledby="title">
        <header>
          <h1 id="title" tabIndex={-1}>
            Scenarios
          </h1>
          <a class="button go" href={linkTo('scenarios', WRITE, '')}>
            Write one
          </a>
          <Action call={resetAll} ask="Start every scenario again?">
            Reset all
          </Action>
        </header>
        <search class="filters">
          <SearchBox label="Search scenarios" value={text} set={search} />
        </search>
        <Problem failure={failure} />
        <ul class="rows scenarios" onKeyDown={moveByArrows}>
          {found.map(({ name, description, active, state, source, rules }) => (
            <li key={name}>
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
              <Switch name={name} on={active} toggle={(on) => change(name, { active: on })} />
            </li>
          ))}
        </ul>
      </section>
      {writes && data && <WritePanel key={written} from={data.scenarios.find(({ name }) => name === written)} />}
      {open && data && (
        <ScenarioPanel
          key={open}
          name={open}
          scenario={data.scenarios.find(({ name }) => name === open)}
          operations={operations}
          change={(body) => change(open, body)}
          refresh={refresh}
        />
      )}
    </div>
  )
}

/** Outcomes and gateway statuses have a view of their own. */
function isOutcome(name: string): boolean {
  return /:\d{3}$/.test(name)
}
