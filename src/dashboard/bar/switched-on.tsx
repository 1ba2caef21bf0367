import { useState } from 'preact/hooks'
import { useAdminQuery } from '../admin-query.js'
import { Menu } from '../parts/menu.js'
import { Problem } from '../parts/problem.js'
import { Switch } from '../parts/switch.js'
import { switchScenario } from '../scenarios.js'

/** How many scenarios and outcomes are on, so that none is forgotten; opens to a switch for each. */
export function SwitchedOn() {
  const { data, failure, refresh } = useAdminQuery<{ meta: { active: readonly string[] } }>('scenarios', ['scenarios'])
  const active = data?.meta.active ?? []
  return (
    <Menu
      class={active.length > 0 ? 'on some' : 'on'}
      title="Scenarios and outcomes that are on in this sandbox"
      label={active.length === 0 ? 'nothing is forced' : `${active.length} on`}
    >
      {() => (
        <>
          <Problem failure={failure} />
          <Switches active={active} refresh={refresh} />
        </>
      )}
    </Menu>
  )
}

/** What is switched off stays in the list while that is open, so that it can be switched on again. */
function Switches({ active, refresh }: { readonly active: readonly string[]; readonly refresh: () => void }) {
  const [opened] = useState(active)
  const names = [...new Set([...opened, ...active])]
  if (names.length === 0) return <p class="quiet">Nothing is on: every call is answered from the sandbox's state.</p>
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <bdi>{name}</bdi>
          <Switch name={name} on={active.includes(name)} toggle={(on) => switchScenario(name, on).then(refresh)} />
        </li>
      ))}
    </ul>
  )
}
