import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type Address, useAddress } from './address.js'
import { TITLES, TopBar, type ViewName } from './bar/top-bar.js'
import { moveByKeys } from './parts/rows.js'
import { UndoBar } from './parts/undo-bar.js'
import { Mail } from './views/mail.js'
import { Outcomes } from './views/outcomes.js'
import { Requests } from './views/requests.js'
import { Sandboxes } from './views/sandboxes.js'
import { Scenarios } from './views/scenarios.js'
import { State } from './views/state.js'
import { nameOf, sandboxHere } from './world.js'

/** What every view is given. */
interface ViewProps {
  /** What follows the view's name in the address. */
  readonly address: Address
}

/** The views by the first part of their address. */
const views: Readonly<Record<ViewName, ComponentType<ViewProps>>> = {
  requests: Requests,
  outcomes: Outcomes,
  scenarios: Scenarios,
  mail: Mail,
  state: State,
  sandboxes: Sandboxes,
}

/** Root component of the dashboard. */
export function Dashboard() {
  const [first = '', ...rest] = useAddress()
  const current = first in views ? (first as ViewName) : 'requests'
  const title = TITLES[current]
  const View = views[current]
  const main = useRef<HTMLElement>(null)
  const shown = useRef(current)

  useLayoutEffect(() => {
    document.title = [title, sandboxHere && nameOf(sandboxHere), 'countersign'].filter(Boolean).join(' · ')
  }, [title])
  useEffect(() => {
    if (shown.current === current) return
    shown.current = current
    scrollTo(0, 0)
    // What is opened within a view takes the focus itself.
    if (main.current?.querySelector('.panel') === null) main.current.querySelector('h1')?.focus()
  }, [current])

  useEffect(() => {
    addEventListener('keydown', moveByKeys)
    return () => removeEventListener('keydown', moveByKeys)
  }, [])

  return (
    <>
      <TopBar current={current} />
      <main ref={main} tabIndex={-1}>
        <View key={current} address={rest} />
      </main>
      <UndoBar />
    </>
  )
}
