import { useEffect, useState } from 'preact/hooks'
import { call } from '../api.js'
import { useFresh } from '../fresh.js'
import { Action } from '../parts/action.js'
import { Problem } from '../parts/problem.js'
import { SearchBox } from '../parts/search-box.js'
import type { Sandbox } from '../shapes.js'
import { adminOf, sandboxHere } from '../world.js'
import type { ViewProps } from './view.js'
import { Clock } from './worlds/clock.js'
import { OpenSandbox } from './worlds/open-sandbox.js'
import { WaysIn } from './worlds/ways-in.js'

/** Milliseconds after which the counts of other worlds are looked up again: their events are not ours. */
const LOOK = 1_500

/** Sandboxes drawn at once. */
const MOST = 200

/** The root and every sandbox. */
export function Worlds(_: ViewProps) {
  const sandboxes = useFresh<{ sandboxes: readonly Sandbox[]; meta: { most: number } }>(`${adminOf()}sandboxes`, [
    'worlds',
    'exchanges',
    'journal',
  ])
  const root = useFresh<{ meta: { total: number } }>(`${adminOf()}requests?format=summary&limit=1`, [
    'exchanges',
    'journal',
  ])
  const [text, search] = useState('')
  const found = sandboxes.data?.sandboxes.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())) ?? []
  const refresh = () => {
    sandboxes.refresh()
    root.refresh()
  }
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refresh(), LOOK)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="page worlds">
      <header>
        <h1 tabIndex={-1}>Worlds</h1>
      </header>
      <p class="quiet">
        Each world is a separate service with its own state, journal, mails, scenarios and clock. A client chooses a
        world by its base URL. One that cannot change its base URL chooses it with the header X-Mock-Sandbox, or with a
        token that ends in ~ and the name.
      </p>
      <Problem failure={sandboxes.failure ?? root.failure} />
      <search class="filters">
        <SearchBox label="Search sandboxes" value={text} set={search} />
      </search>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">World</th>
              <th scope="col">Requests</th>
              <th scope="col">For a client</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            <World requests={root.data?.meta.total} refresh={refresh} />
            {found.slice(0, MOST).map(({ name, requests }) => (
              <World key={name} name={name} requests={requests} refresh={refresh} />
            ))}
          </tbody>
        </table>
      </div>
      {found.length > MOST && <p class="quiet">{`The first ${MOST} sandboxes are shown; search for others.`}</p>}
      <OpenSandbox />
      <Clock />
    </div>
  )
}

interface WorldProps {
  /** Undefined for the root. */
  readonly name?: string
  readonly requests: number | undefined
  readonly refresh: () => void
}

function World({ name, requests, refresh }: WorldProps) {
  const here = name === sandboxHere
  return (
    <tr>
      <th scope="row">
        <a href={adminOf(name)} aria-current={here ? 'true' : undefined}>
          <bdi>{name === undefined ? 'root' : `~${name}`}</bdi>
        </a>
        {here && <span class="quiet"> this page</span>}
      </th>
      <td>{requests?.toLocaleString()}</td>
      <td>
        <WaysIn name={name} />
      </td>
      <td>
        <div class="buttons">
          <Action call={() => call(`${adminOf(name)}reset`, { method: 'POST' }).then(refresh)}>Reset</Action>
          {name !== undefined && (
            <Action
              kind="danger"
              call={() => call(`${adminOf()}sandboxes/${encodeURIComponent(name)}`, { method: 'DELETE' }).then(refresh)}
            >
              Delete
            </Action>
          )}
        </div>
      </td>
    </tr>
  )
}
