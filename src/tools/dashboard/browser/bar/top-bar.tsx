import { linkTo } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { useConnection } from '../live.js'
import { type ClockView, describeClock } from '../parts/time.js'
import { SandboxSwitcher, SwitchedOn } from './menus.js'
import { useUnread } from './unread.js'
import { UnusableFiles } from './unusable-files.js'

export const VIEWS = ['Requests', 'Outcomes', 'Scenarios', 'Mail', 'State', 'Sandboxes'] as const
type ViewName = (typeof VIEWS)[number]

const MOST_UNREAD = 99

const connectionWords = { connecting: 'Connecting …', live: 'Live', lost: 'Connection lost, trying again …' }

export function TopBar({ current }: { readonly current: ViewName | 'Docs' }) {
  const connection = useConnection()
  const { data: clock } = useAdminQuery<ClockView>('clock', ['clock'])
  const clockState = clock ? describeClock(clock) : ''
  const unread = useUnread()
  const hrefOf = (view: ViewName) => `./${linkTo(view.toLowerCase())}`
  return (
    <>
      <header class="top">
        {current !== 'Docs' && (
          // Not a link: the hash is the view's address.
          <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
            Skip to the content
          </button>
        )}
        <p class="brand">countersign</p>
        <SandboxSwitcher view={current.toLowerCase()} />
        <nav class="views" aria-label="Dashboard">
          <ul>
            {VIEWS.map((name) => {
              const count = name === 'Mail' ? unread : 0
              return (
                <li key={name}>
                  <a
                    href={hrefOf(name)}
                    aria-current={name === current ? 'page' : undefined}
                    title={count > 0 ? `${count} unread` : undefined}
                  >
                    {name}
                    {name === 'Mail' && (
                      <span class="unread" aria-hidden="true">
                        {count > 0 ? Math.min(count, MOST_UNREAD) : ''}
                      </span>
                    )}
                  </a>
                </li>
              )
            })}
            <li>
              <a href="docs" aria-current={current === 'Docs' ? 'page' : undefined}>
                Docs
              </a>
            </li>
          </ul>
        </nav>
        {clockState !== '' && (
          <a class="clock-state" href={hrefOf('Sandboxes')} title="The clock of this sandbox">
            {clockState}
          </a>
        )}
        <SwitchedOn />
        <p class={`connection ${connection}`} role="status">
          {connectionWords[connection]}
        </p>
      </header>
      <UnusableFiles />
    </>
  )
}
