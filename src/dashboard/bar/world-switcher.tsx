import { linkTo, useAddress } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { counted } from '../parts/marks.js'
import { Menu } from '../parts/menu.js'
import { Problem } from '../parts/problem.js'
import type { WorldList } from '../shapes.js'
import { adminOf, nameOf, sandboxHere } from '../world.js'

/** Sandboxes that it lists, those that were used last. */
const MOST = 30

/** The world that the page is about, and the way to the same view of any other. */
export function WorldSwitcher({ view }: { readonly view: string }) {
  return (
    <Menu class="world" title="The sandbox that this page is about" label={<bdi>{nameOf(sandboxHere)}</bdi>}>
      {() => <Others view={view} />}
    </Menu>
  )
}

function Others({ view }: { readonly view: string }) {
  const { data, failure } = useAdminQuery<WorldList>(`${adminOf()}sandboxes`, ['worlds'])
  const sandboxes = [...(data?.sandboxes ?? [])].reverse()
  return (
    <>
      <Problem failure={failure} />
      <ul>
        <Other name={undefined} view={view} requests={data?.root.requests} />
        {sandboxes.slice(0, MOST).map(({ name, requests }) => (
          <Other key={name} name={name} view={view} requests={requests} />
        ))}
      </ul>
      <p>
        <a href={`${view === 'docs' ? './' : ''}${linkTo('sandboxes')}`}>
          {sandboxes.length > MOST ? `All ${sandboxes.length} sandboxes` : 'Manage sandboxes'}
        </a>
      </p>
    </>
  )
}

interface OtherProps {
  readonly name: string | undefined
  readonly view: string
  readonly requests: number | undefined
}

function Other({ name, view, requests }: OtherProps) {
  const [, open] = useAddress()
  const collection = view === 'state' && open ? [open] : []
  return (
    <li>
      <a
        href={`${adminOf(name)}${view === 'docs' ? 'docs' : linkTo(view, ...collection)}`}
        aria-current={name === sandboxHere ? 'true' : undefined}
      >
        <bdi>{nameOf(name)}</bdi> {requests !== undefined && <span class="quiet">{counted(requests, 'request')}</span>}
      </a>
    </li>
  )
}
