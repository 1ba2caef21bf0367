import type { ClockView } from '../../../../engine/http/admin/clock.js'
import type { SandboxUse } from '../../../../engine/http/admin/sandboxes.js'
import { callAdmin, fetchAdmin, useAdminQuery } from '../admin.js'
import { closeStream, requestStream } from '../live.js'
import {
  adminOf,
  apiFacts,
  currentSandbox,
  labelOf,
  linkTo,
  type SandboxList,
  urlOfSandbox,
  useFilter,
} from '../page.js'
import { CopyButton, type ExampleCall } from '../parts/call-buttons.js'
import { Action, Button, Form, Head, Problem, useAct } from '../parts/controls.js'
import { matches, SearchBox } from '../parts/list.js'
import { describeOffset, Section, Time } from '../parts/texts.js'

/** Milliseconds. Other sandboxes' events do not arrive here. */
const REFETCH_MS = 1_500
const MAX_SCENARIOS = 4

export function Sandboxes() {
  const { data, failure } = useAdminQuery<SandboxList>(`${adminOf()}sandboxes`, [], REFETCH_MS)
  const [{ search }, set] = useFilter({ search: '' })
  const found = data?.sandboxes.filter(({ name }) => matches(name, search)) ?? []
  return (
    <div class="page">
      <header>
        <h1 tabIndex={-1}>Sandboxes</h1>
      </header>
      <p class="quiet">
        Each sandbox has its own state, journal, mails, scenarios and clock. A client chooses one by its base URL. A
        client that cannot change its base URL sends the header X-Mock-Sandbox, or a token that ends in ~ and the name.
      </p>
      <Clock />
      <Section title="All sandboxes" level="h2">
        <Problem failure={failure} />
        <search>
          <SearchBox label="Search sandboxes" search={search} set={set} />
          <Form class="row" submit={({ name }) => location.assign(adminOf(name))}>
            <label>
              Name
              <input name="name" required pattern="[A-Za-z0-9_.\-]{1,64}" title="Letters, digits, and _ . -" />
            </label>
            <button type="submit">Open</button>
          </Form>
        </search>
        <table class="cards">
          <Head of={['Sandbox', 'Active', 'Requests', 'For a client', 'Actions']} />
          <tbody>
            {data && <Sandbox use={data.root} />}
            {found.map(({ name, ...use }) => (
              <Sandbox key={name} name={name} use={use} />
            ))}
          </tbody>
        </table>
      </Section>
    </div>
  )
}

function Sandbox({ name, use: { requests, lastUsed, active } }: { readonly name?: string; readonly use: SandboxUse }) {
  const isHere = name === currentSandbox
  const admin = adminOf(name)
  const copyToken = async () => {
    const { token } = await fetchAdmin<ExampleCall>(`${admin}examples/${apiFacts.exampleOperation}`)
    return `${token}${name === undefined ? '' : `~${name}`}`
  }
  const reset = () => callAdmin('POST', `${admin}reset`)
  const remove = async () => {
    // Stream and timers would make the sandbox again.
    if (isHere) closeStream()
    await callAdmin('DELETE', `${adminOf()}sandboxes/${encodeURIComponent(name ?? '')}`).catch((error) => {
      requestStream()
      throw error
    })
    if (isHere) location.assign(`${adminOf()}${linkTo('sandboxes')}`)
  }
  return (
    <tr>
      <th scope="row">
        <a href={admin} aria-current={isHere ? 'true' : undefined}>
          <bdi>{labelOf(name)}</bdi>
        </a>
        {isHere && <span class="quiet"> this page</span>}
      </th>
      <td data-label="Active">
        {active.slice(0, MAX_SCENARIOS).map((one) => (
          <div key={one}>
            <code>{one}</code>
          </div>
        ))}
        <span class="quiet">
          {active.length === 0 && 'none'}
          {active.length > MAX_SCENARIOS && `and ${active.length - MAX_SCENARIOS} more`}
        </span>
      </td>
      <td data-label="Requests">
        {requests.toLocaleString()}{' '}
        <span class="quiet">{lastUsed ? ['last at ', <Time key="at" at={lastUsed} />] : 'not used yet'}</span>
      </td>
      <td data-label="For a client">
        <CopyButton name="Copy URL" text={urlOfSandbox(name)} />{' '}
        {name !== undefined && <CopyButton name="Copy header" text={`X-Mock-Sandbox: ${name}`} />}{' '}
        <CopyButton name="Copy token" text={copyToken} />
      </td>
      <td data-label="Actions">
        <Action label="Reset" ask={`Reset ${labelOf(name)} to its seeded state?`} call={reset} />{' '}
        {name !== undefined && (
          <Action class="danger" label="Delete" ask={`Delete ${labelOf(name)} and all its data?`} call={remove} />
        )}
      </td>
    </tr>
  )
}

const HOUR = 3_600_000
const STEPS = { '1 minute': HOUR / 60, '1 hour': HOUR, '1 day': 24 * HOUR, '30 days': 720 * HOUR }

function Clock() {
  const { data, failure } = useAdminQuery<ClockView>('clock', ['clock'], 1_000)
  const act = useAct()
  const put = (body: object) => act.run(() => callAdmin('PUT', 'clock', body))
  const distance = data === undefined ? '' : describeOffset(data.offset)
  return (
    <Section title="Clock of this sandbox" level="h2">
      {data && (
        <p>
          <time dateTime={data.now}>{data.now}</time> <span class="quiet">{data.frozen ? 'frozen' : 'running'}</span>{' '}
          <span class="quiet">{distance !== '' && `${distance.replace(/ahead$/, 'ahead of')} real time`}</span>
        </p>
      )}
      <p class="row">
        <Button label={data?.frozen ? 'Unfreeze' : 'Freeze'} act={() => put({ frozen: !data?.frozen })} />
        {(distance !== '' || data?.frozen) && (
          <Button label="Back to real time" act={() => put({ offset: 0, frozen: false })} />
        )}
        {Object.entries(STEPS).map(([step, advance]) => (
          <Button key={step} label={`+ ${step}`} aria-label={`Advance ${step}`} act={() => put({ advance })} />
        ))}
      </p>
      <Form class="row" submit={({ now = '' }) => put({ now: now.trim() })}>
        <label>
          Set to
          <input name="now" required placeholder="2025-06-01 or 2025-06-01T09:00:00Z" />
        </label>
        <button type="submit">Set</button>
      </Form>
      <Problem failure={act.failure ?? failure} />
    </Section>
  )
}
