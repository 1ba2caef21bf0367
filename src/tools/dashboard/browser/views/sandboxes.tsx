import { useFilter } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { callAdmin, get, serverNow } from '../api.js'
import { Action, Form, Problem, useAct } from '../parts/controls.js'
import { CopyButton } from '../parts/copy-button.js'
import { firstOf, SearchBox } from '../parts/list-view.js'
import { type ClockView, describeDuration, describeOffset } from '../parts/time.js'
import { adminOf, labelOf, type SandboxList, type SandboxUse, sandboxHere, urlOfSandbox } from '../sandbox.js'

/** Milliseconds: this page gets no events of other sandboxes. */
const LOOK = 1_500
const MOST_ON = 4

export function Sandboxes() {
  const { data, failure } = useAdminQuery<SandboxList>(`${adminOf()}sandboxes`, [], LOOK)
  const [{ search }, set] = useFilter(['search'], undefined)
  const found = data?.sandboxes.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())) ?? []
  const [shown, more] = firstOf(found)
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
      <search class="row filters">
        <SearchBox label="Search sandboxes" value={search} set={(text) => set({ search: text })} />
      </search>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {['Sandbox', 'On', 'Requests', 'For a client', 'Actions'].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data && <Sandbox use={data.root} />}
            {shown.map(({ name, ...use }) => (
              <Sandbox key={name} name={name} use={use} />
            ))}
          </tbody>
        </table>
      </div>
      {more}
      <section aria-labelledby="open-title">
        <h2 id="open-title">Open a sandbox</h2>
        <Form class="row" submit={({ name }) => location.assign(adminOf(name))}>
          <label>
            Name
            <input name="name" required pattern="[A-Za-z0-9_.\-]{1,64}" title="Letters, digits, and _ . -" />
          </label>
          <button type="submit">Open</button>
        </Form>
      </section>
      <Clock />
    </div>
  )
}

function Sandbox({ name, use: { requests, lastUsed, active } }: { readonly name?: string; readonly use: SandboxUse }) {
  const isHere = name === sandboxHere
  const admin = adminOf(name)
  const copyToken = async () => {
    const { users } = await get<{ users: readonly { token: string }[] }>(`${admin}state?collection=users`)
    return `${users[0]?.token ?? ''}${name === undefined ? '' : `~${name}`}`
  }
  return (
    <tr>
      <th scope="row">
        <a href={admin} aria-current={isHere ? 'true' : undefined}>
          <bdi>{labelOf(name)}</bdi>
        </a>
        {isHere && <span class="quiet"> this page</span>}
      </th>
      <td class="switched-on" data-label="On">
        {active.slice(0, MOST_ON).map((one) => (
          <code key={one}>{one}</code>
        ))}
        <span class="quiet">
          {active.length === 0 && 'nothing'}
          {active.length > MOST_ON && `and ${active.length - MOST_ON} more`}
        </span>
      </td>
      <td data-label="Requests">
        {requests.toLocaleString()}
        <br />
        <span class="quiet" title={lastUsed ?? ''}>
          {lastUsed === null
            ? 'not used yet'
            : `${describeDuration(Math.max(0, serverNow() - Date.parse(lastUsed)))} ago`}
        </span>
      </td>
      <td data-label="For a client">
        <div class="row">
          <CopyButton name="Copy URL" text={urlOfSandbox(name)} />
          {name !== undefined && <CopyButton name="Copy header" text={`X-Mock-Sandbox: ${name}`} />}
          <CopyButton name="Copy token" text={copyToken} />
        </div>
      </td>
      <td>
        <div class="row">
          <Action call={() => callAdmin('POST', `${admin}reset`)} ask={`Reset ${labelOf(name)} to its seeded state?`}>
            Reset
          </Action>
          {name !== undefined && (
            <Action
              class="danger"
              call={() => callAdmin('DELETE', `${adminOf()}sandboxes/${encodeURIComponent(name)}`)}
              ask={`Delete ${labelOf(name)} with all that is in it?`}
            >
              Delete
            </Action>
          )}
        </div>
      </td>
    </tr>
  )
}

const DATE = /^\d{4}-\d\d-\d\d$/
const HOUR = 3_600_000
const STEPS = { '1 minute': HOUR / 60, '1 hour': HOUR, '1 day': 24 * HOUR, '30 days': 720 * HOUR }

function Clock() {
  const { data, failure } = useAdminQuery<ClockView>('clock', [], 1_000)
  const act = useAct()
  const put = (body: object) => act.run(() => callAdmin('PUT', 'clock', body))
  const distance = data === undefined ? '' : describeOffset(data.offset)
  return (
    <section aria-labelledby="clock-title">
      <h2 id="clock-title">Clock of this sandbox</h2>
      {data && (
        <p class="now">
          <time dateTime={data.now}>{data.now}</time> <span class="quiet">{data.frozen ? 'frozen' : 'running'}</span>{' '}
          <span class="quiet">{distance !== '' && `${distance.replace(/ahead$/, 'ahead of')} real time`}</span>
        </p>
      )}
      <p class="row">
        <button type="button" onClick={() => put({ frozen: !data?.frozen })}>
          {data?.frozen ? 'Unfreeze' : 'Freeze'}
        </button>
        {(distance !== '' || data?.frozen) && (
          <button type="button" onClick={() => put({ offset: 0, frozen: false })}>
            Back to real time
          </button>
        )}
        {Object.entries(STEPS).map(([label, advance]) => (
          <button key={label} type="button" onClick={() => put({ advance })} aria-label={`Advance ${label}`}>
            + {label}
          </button>
        ))}
      </p>
      <Form class="row" submit={({ now = '' }) => put({ now: now.trim().replace(DATE, '$&T00:00:00Z') })}>
        <label>
          Set to
          <input name="now" required placeholder="2025-06-01 or 2025-06-01T09:00:00Z" />
        </label>
        <button type="submit">Set</button>
      </Form>
      <Problem failure={act.failure ?? failure} />
    </section>
  )
}
