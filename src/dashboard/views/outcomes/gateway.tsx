import { Status } from '../../parts/marks.js'
import { Switch } from '../../parts/switch.js'
import type { Switches } from './matrix.js'

const PREFIX = 'gateway:'

/** What stands between client and service may answer so at any time, to every operation. */
export function Gateway({ names: all, active, toggle }: Switches & { readonly names: readonly string[] }) {
  const names = all.filter((name) => name.startsWith(PREFIX))
  if (names.length === 0) return null
  return (
    <section class="gateway" aria-labelledby="gateway-title">
      <h2 id="gateway-title">Gateway</h2>
      <p class="quiet">
        A proxy between client and service can give any call these answers. They do not count as covered.
      </p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <Status status={Number(name.slice(PREFIX.length))} />
            <Switch name={name} on={active.includes(name)} toggle={(on) => toggle(name, on)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
