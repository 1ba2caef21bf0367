import { useEffect, useState } from 'preact/hooks'
import { call } from '../api.js'
import { useFresh } from '../fresh.js'
import { Action } from '../parts/action.js'
import { durationOf } from '../parts/duration.js'
import { Problem } from '../parts/problem.js'
import { SearchBox } from '../parts/search-box.js'
import type { WorldList, WorldUse } from '../shapes.js'
import { adminOf, nameOf, sandboxHere } from '../world.js'
import type { ViewProps } from './view.js'
import { Clock } from './worlds/clock.js'
import { OpenSandbox } from './worlds/open-sandbox.js'
import { WaysIn } from './worlds/ways-in.js'

/** Milliseconds after which the counts of other worlds are looked up again: their events are not ours. */
const LOOK = 1_500

/** Sandboxes drawn at once. */
const MOST = 200

/** Names of what is on that a row has room for. */
const MOST_ON = 4

/** The root and every sandbox. */
export function Worlds(_: ViewProps) {
  const { data, failure, refresh } = useFresh<WorldList>(`${adminOf()}sandboxes`, ['worlds', 'exchanges', 'journal'])
  const [text, search] = useState('')
  const found = data?.sandboxes.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())) ?? []
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
      <Problem failure={failure} />
      <search class="filters">
        <SearchBox label="Search sandboxes" value={text} set={search} />
      </search>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">World</th>
              <th scope="col">On</th>
              <th scope="col">Requests</th>
              <th scope="col">For a client</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {data && <World use={data.root} refresh={refresh} />}
            {found.slice(0, MOST).map(({ name, ...use }) => (
              <World key={name} name={name} use={use} refresh={refresh} />
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
  readonly use: WorldUse
  readonly refresh: () => void
}

function World({ name, use: { requests, lastUsed, active }, refresh }: WorldProps) {
  const here = name === sandboxHere
  const admin = adminOf(name)
  const reset = () => call(`${admin}reset`, { method: 'POST' }).then(refresh)
  const remove = () =>
    call(`${adminOf()}sandboxes/${encodeURIComponent(name ?? '')}`, { method: 'DELETE' }).then(refresh)
  return (
    <tr>
      <th scope="row">
        <a href={admin} aria-current={here ? 'true' : undefined}>
          <bdi>{nameOf(name)}</bdi>
        </a>
        {here && <span class="quiet"> this page</span>}
      </th>
      <td class="switched-on">
        {active.slice(0, MOST_ON).map((one) => (
          <code key={one}>{one}</code>
        ))}
        {active.length > MOST_ON && <span class="quiet">{`and ${active.length - MOST_ON} more`}</span>}
        {active.length === 0 && <span class="quiet">nothing</span>}
      </td>
      <td>
        {requests.toLocaleString()}
        <br />
        <span class="quiet">{lastUsed === null ? 'not used yet' : <Ago at={lastUsed} />}</span>
      </td>
      <td>
        <WaysIn name={name} />
      </td>
      <td>
        <div class="buttons">
          <Action call={reset} ask={`Reset ${nameOf(name)} to its seeded state?`}>
            Reset
          </Action>
          {name !== undefined && (
            <Action kind="danger" call={remove} ask={`Delete ${nameOf(name)} with all that is in it?`}>
              Delete
            </Action>
          )}
        </div>
      </td>
    </tr>
  )
}

function Ago({ at }: { readonly at: string }) {
  const passed = Date.now() - Date.parse(at)
  return (
    <time dateTime={at} title={at}>
      {passed < 2_000 ? 'just now' : `${durationOf(passed)} ago`}
    </time>
  )
}
