import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { useLive } from '../context.js'
import type { Connection } from '../live.js'
import { type ClockView, describeClock } from '../parts/clock.js'
import { SwitchedOn } from './switched-on.js'
import { useUnread } from './unread.js'
import { WorldSwitcher } from './world-switcher.js'

/** The views in the order of the navigation, by the first part of their address. */
export const TITLES = {
  requests: 'Requests',
  outcomes: 'Outcomes',
  scenarios: 'Scenarios',
  mail: 'Mail',
  state: 'State',
  sandboxes: 'Sandboxes',
} as const
export type ViewName = keyof typeof TITLES

/** The same bar on every page: the world, the views, what is on, and whether what is shown is up to date. */
export function TopBar({ current }: { readonly current: ViewName | 'docs' }) {
  const unread = useUnread()
  const { data: clock } = useAdminQuery<ClockView>('clock', ['clock'])
  const clockState = clock === undefined ? '' : describeClock(clock)
  const inDocs = current === 'docs'
  const hrefOf = (view: string) => `${inDocs ? './' : ''}${linkTo(view)}`
  return (
    <header class="top">
      {!inDocs && (
        <button type="button" class="skip" onClick={skip}>
          Skip to the content
        </button>
      )}
      <p class="brand">countersign</p>
      <WorldSwitcher view={current} />
      <nav class="views" aria-label="Dashboard">
        <ul>
          {Object.entries(TITLES).map(([name, title]) => (
            <li key={name}>
              <a
                href={hrefOf(name)}
                aria-current={name === current ? 'page' : undefined}
                title={name === 'mail' && unread > 0 ? `${unread} unread` : undefined}
              >
                {title}
                {name === 'mail' && unread > 0 && (
                  <span class="unread" aria-hidden="true">
                    {unread > 99 ? '99+' : unread}
                  </span>
                )}
              </a>
            </li>
          ))}
          <li>
            <a href="docs" aria-current={inDocs ? 'page' : undefined}>
              Docs
            </a>
          </li>
        </ul>
      </nav>
      {clockState !== '' && (
        <a class="clock-state" href={hrefOf('sandboxes')} title="The clock of this sandbox">
          {clockState}
        </a>
      )}
      <SwitchedOn />
      <ConnectionState />
    </header>
  )
}

/** No link, since what stands behind the hash is the view's address. */
function skip(): void {
  document.querySelector<HTMLElement>('main')?.focus()
}

const connectionWords: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost, trying again …',
}

/** Whether what is shown is up to date. */
function ConnectionState() {
  const live = useLive()
  const [connection, setConnection] = useState(live.connection)
  useEffect(() => {
    setConnection(live.connection)
    return live.subscribe(() => setConnection(live.connection))
  }, [live])
  return (
    <p class={`connection ${connection}`} role="status">
      {connectionWords[connection]}
    </p>
  )
}
