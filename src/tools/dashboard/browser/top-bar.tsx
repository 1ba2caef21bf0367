import type { FileComplaint } from '../../../engine/files/invalid-files.js'
import type { ClockView } from '../../../engine/http/admin/clock.js'
import { useAdminQuery } from './admin.js'
import { useConnection } from './live.js'
import { adminOf, currentSandbox, labelOf, linkTo, type SandboxList, useAddress } from './page.js'
import { Menu, Problem, Switch } from './parts/controls.js'
import { describeClock, pluralize } from './parts/texts.js'
import { isAllSpent, isOutcome, type ScenarioList, switchScenario } from './scenarios.js'

export const VIEWS = ['Requests', 'Outcomes', 'Scenarios', 'Mail', 'State', 'Sandboxes'] as const

const MAX_LISTED = 30

const connectionWords = { connecting: 'Connecting …', live: 'Live', lost: 'Connection lost, trying again …' }

export function TopBar({ current }: { readonly current: (typeof VIEWS)[number] | 'Docs' }) {
  const connection = useConnection()
  const { data: clock } = useAdminQuery<ClockView>('clock', ['clock'])
  const clockState = clock ? describeClock(clock) : ''
  return (
    <>
      <header class="top">
        {current !== 'Docs' && (
          // Not a link, since the hash is the view's address.
          <button type="button" class="off-screen" onClick={() => document.querySelector('main')?.focus()}>
            Skip to the content
          </button>
        )}
        <strong class="brand">countersign</strong>
        <Menu id="sandboxes" title="The sandbox that this page is about" label={labelOf(currentSandbox)}>
          {() => <SandboxLinks view={current.toLowerCase()} />}
        </Menu>
        <nav aria-label="Dashboard">
          {[...VIEWS, 'Docs' as const].map((name) => (
            <a
              key={name}
              href={name === 'Docs' ? 'docs' : `./${linkTo(name.toLowerCase())}`}
              aria-current={name === current ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        {clockState !== '' && (
          <a class="clock" href={`./${linkTo('sandboxes')}`} title="The clock of this sandbox">
            {clockState}
          </a>
        )}
        <ScenarioMenu />
        <span class={`connection ${connection}`} role="status">
          {connectionWords[connection]}
        </span>
      </header>
      <UnusableFiles />
    </>
  )
}

function SandboxLinks({ view }: { readonly view: string }) {
  const { data, failure } = useAdminQuery<SandboxList>(`${adminOf()}sandboxes`, ['sandboxes'])
  const [, collection] = useAddress()
  const here = view === 'docs' ? 'docs' : linkTo(view, ...(view === 'state' && collection ? [collection] : []))
  const latest = data && [{ ...data.root, name: undefined }, ...[...data.sandboxes].reverse().slice(0, MAX_LISTED)]
  return (
    <nav aria-label="Sandboxes">
      <Problem failure={failure} />
      {latest?.map(({ name, requests }) => (
        <a key={name} href={`${adminOf(name)}${here}`} aria-current={name === currentSandbox ? 'true' : undefined}>
          <bdi>{labelOf(name)}</bdi> <span class="quiet">{pluralize(requests, 'request')}</span>
        </a>
      ))}
      <a href={`./${linkTo('sandboxes')}`}>Manage sandboxes</a>
    </nav>
  )
}

function ScenarioMenu() {
  const { data, failure } = useAdminQuery<ScenarioList>('scenarios', ['scenarios'])
  const shown = data?.scenarios.filter(({ name, active }) => active || !isOutcome(name)) ?? []
  const count = shown.filter((one) => one.active && !isAllSpent(one)).length
  return (
    <Menu
      id="switches"
      title="Scenarios and outcomes that are on in this sandbox"
      label={count === 0 ? 'no scenarios on' : `${count} on`}
    >
      {() => (
        <ul aria-label="Scenarios">
          <Problem failure={failure} />
          {shown.map((scenario) => (
            <li key={scenario.name}>
              <bdi>{scenario.name}</bdi> {isAllSpent(scenario) && <span class="quiet">spent</span>}
              <Switch name={scenario.name} on={scenario.active} toggle={(on) => switchScenario(scenario.name, on)} />
            </li>
          ))}
        </ul>
      )}
    </Menu>
  )
}

interface FilesView {
  readonly complaints: readonly (FileComplaint & { readonly scenario?: string })[]
  readonly needsRestart?: readonly string[]
}

/** Edited files that are not in effect; shown in every view. */
function UnusableFiles() {
  const { data } = useAdminQuery<FilesView>('files', ['files'])
  const { complaints = [], needsRestart = [] } = data ?? {}
  if (complaints.length + needsRestart.length === 0) return null
  const files = new Set(complaints.map(({ file }) => file)).size
  return (
    <div class="problem" role="alert">
      {needsRestart.length > 0 && <p>A new value of {needsRestart.join(', ')} needs a restart.</p>}
      {files > 0 && (
        <strong>
          {files === 1
            ? 'A file cannot be used; its last good version serves, if there is one.'
            : `${files} files cannot be used; their last good versions serve, if there are any.`}
        </strong>
      )}
      {complaints.map(({ file, line, column, message, scenario }, at) => (
        <p key={at}>
          <code>{line === undefined ? file : `${file}:${line}:${column}`}</code> <bdi>{message}</bdi>{' '}
          {scenario && <a href={`./${linkTo('scenarios', '', scenario, 'file')}`}>Edit {scenario}</a>}
        </p>
      ))}
    </div>
  )
}
