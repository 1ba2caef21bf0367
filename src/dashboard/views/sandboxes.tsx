import { useEffect, useState } from 'preact/hooks'
import { useFilter } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { call } from '../api.js'
import { Action } from '../parts/action.js'
import { durationOf } from '../parts/clock.js'
import { CopyButton } from '../parts/copy-button.js'
import { Problem } from '../parts/problem.js'
import { SearchBox } from '../parts/search-box.js'
import type { WorldList, WorldUse } from '../shapes.js'
import { adminOf, firstToken, nameOf, sandboxHere, urlOfWorld } from '../world.js'
import { Clock } from './sandboxes/clock.js'

/** Milliseconds after which the counts of other sandboxes are looked up again: their events are not ours. */
const LOOK = 1_500
/** Sandboxes drawn at once. */
const MOST = 200
/** Names of what is on that a row has room for. */
const MOST_ON = 4

/** The root and every sandbox. */
export function Sandboxes() {
  const { data, failure, refresh } = useAdminQuery<WorldList>(`${adminOf()}sandboxes`, [
    'worlds',
    'exchanges',
    'journal',
  ])
  const [{ search }, set] = useFilter({ search: '' }, undefined)
  const found = data?.sandboxes.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())) ?? []
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refresh(), LOOK)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="page sandboxes">
      <header>
        <h1 tabIndex={-1}>Sandboxes</h1>
      </header>
      <p class="quiet">
        Each sandbox has its own state, journal, mails, scenarios and clock. A client chooses one by its base URL. A
        client that cannot change its base URL sends the header X-Mock-Sandbox, or a token that ends in ~ and the name.
      </p>
      <Problem failure={failure} />
      <search class="filters">
        <SearchBox label="Search sandboxes" value={search} set={(text) => set({ search: text })} />
      </search>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Sandbox</th>
              <th scope="col">On</th>
              <th scope="col">Requests</th>
              <th scope="col">For a client</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {data && <Sandbox use={data.root} refresh={refresh} />}
            {found.slice(0, MOST).map(({ name, ...use }) => (
              <Sandbox key={name} name={name} use={use} refresh={refresh} />
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

interface SandboxProps {
  /** Undefined for the root. */
  readonly name?: string
  readonly use: WorldUse
  readonly refresh: () => void
}

function Sandbox({ name, use: { requests, lastUsed, active }, refresh }: SandboxProps) {
  const here = name === sandboxHere
  const admin = adminOf(name)
  const token = async () => `${await firstToken(name)}${name === undefined ? '' : `~${name}`}`
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
      <td class="switched-on" data-label="On">
        {active.slice(0, MOST_ON).map((one) => (
          <code key={one}>{one}</code>
        ))}
        {active.length > MOST_ON && <span class="quiet">{`and ${active.length - MOST_ON} more`}</span>}
        {active.length === 0 && <span class="quiet">nothing</span>}
      </td>
      <td data-label="Requests">
        {requests.toLocaleString()}
        <br />
        <span class="quiet">{lastUsed === null ? 'not used yet' : <Ago at={lastUsed} />}</span>
      </td>
      <td data-label="For a client">
        <div class="buttons">
          <CopyButton name="Copy URL" text={async () => urlOfWorld(name)} />
          {name !== undefined && <CopyButton name="Copy header" text={async () => `X-Mock-Sandbox: ${name}`} />}
          <CopyButton name="Copy token" text={token} />
        </div>
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

/** Leads to a sandbox, which is made when it is first used. */
function OpenSandbox() {
  const [name, setName] = useState('')
  return (
    <section aria-labelledby="open-title">
      <h2 id="open-title">Open a sandbox</h2>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          location.assign(adminOf(name))
        }}
      >
        <label>
          Name{' '}
          <input
            required
            pattern="[A-Za-z0-9_.\-]{1,64}"
            title="Letters, digits, and _ . -"
            value={name}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Open</button>
      </form>
    </section>
  )
}
