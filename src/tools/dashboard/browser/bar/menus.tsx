import { useState } from 'preact/hooks'
import { linkTo, useAddress } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { Problem, Switch } from '../parts/controls.js'
import { Menu } from '../parts/menu.js'
import { counted } from '../parts/texts.js'
import { adminOf, labelOf, type SandboxList, sandboxHere } from '../sandbox.js'
import { isUsedUp, type ScenarioList, switchScenario } from '../scenarios.js'

/** Sandboxes in the menu, the latest first. */
const MOST = 30

export function SandboxSwitcher({ view }: { readonly view: string }) {
  return (
    <Menu title="The sandbox that this page is about" label={<bdi>{labelOf(sandboxHere)}</bdi>}>
      {() => <Sandboxes view={view} />}
    </Menu>
  )
}

function Sandboxes({ view }: { readonly view: string }) {
  const { data, failure } = useAdminQuery<SandboxList>(`${adminOf()}sandboxes`, ['sandboxes'])
  const [, collection] = useAddress()
  const here = view === 'docs' ? 'docs' : linkTo(view, ...(view === 'state' && collection ? [collection] : []))
  return (
    <>
      <Problem failure={failure} />
      <ul>
        {data &&
          [{ ...data.root, name: undefined }, ...[...data.sandboxes].reverse().slice(0, MOST)].map(
            ({ name, requests }) => (
              <li key={name}>
                <a href={`${adminOf(name)}${here}`} aria-current={name === sandboxHere ? 'true' : undefined}>
                  <bdi>{labelOf(name)}</bdi> <span class="quiet">{counted(requests, 'request')}</span>
                </a>
              </li>
            ),
          )}
      </ul>
      <p>
        <a href={`./${linkTo('sandboxes')}`}>Manage sandboxes</a>
      </p>
    </>
  )
}

export function SwitchedOn() {
  const { data, failure } = useAdminQuery<ScenarioList>('scenarios', ['scenarios'])
  const usedUp = data?.scenarios.filter(isUsedUp).map(({ name }) => name) ?? []
  const active = data?.meta.active ?? []
  const count = active.length - usedUp.length
  return (
    <Menu
      class={count > 0 ? 'on some' : 'on'}
      title="Scenarios and outcomes that are on in this sandbox"
      label={count === 0 ? 'no scenarios on' : `${count} on`}
    >
      {() => (
        <>
          <Problem failure={failure} />
          <Switches active={active} usedUp={usedUp} />
        </>
      )}
    </Menu>
  )
}

/** A scenario stays in the open list after it is switched off, so that it can be switched on again. */
function Switches({ active, usedUp }: Readonly<Record<'active' | 'usedUp', readonly string[]>>) {
  const [opened] = useState(active)
  const names = [...new Set([...opened, ...active])]
  if (names.length === 0) return <p class="quiet">No scenario is active.</p>
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <bdi>{name}</bdi>
          {usedUp.includes(name) && <span class="quiet">spent</span>}
          <Switch name={name} on={active.includes(name)} toggle={(on) => switchScenario(name, on)} />
        </li>
      ))}
    </ul>
  )
}
