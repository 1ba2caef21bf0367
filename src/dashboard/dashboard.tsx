import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useAddress } from './address.js'
import { TITLES, TopBar, type ViewName } from './bar/top-bar.js'
import { useExchanges } from './exchanges.js'
import { UndoBar } from './parts/undo-bar.js'
import { Mail } from './views/mail.js'
import { Outcomes } from './views/outcomes.js'
import { Requests } from './views/requests.js'
import { moveFromAnywhere } from './views/rows.js'
import { Scenarios } from './views/scenarios.js'
import { State } from './views/state.js'
import type { ViewProps } from './views/view.js'
import { Worlds } from './views/worlds.js'

/** The views by the first part of their address. */
const views: Readonly<Record<ViewName, ComponentType<ViewProps>>> = {
  requests: Requests,
  outcomes: Outcomes,
  scenarios: Scenarios,
  mail: Mail,
  state: State,
  worlds: Worlds,
}

/** The admin API with a face. */
export function Dashboard() {
  const [first = '', ...rest] = useAddress()
  const exchanges = useExchanges()
  const current = first in views ? (first as ViewName) : 'requests'
  const title = TITLES[current]
  const View = views[current]
  const main = useRef<HTMLElement>(null)
  const shown = useRef(current)

  useLayoutEffect(() => {
    document.title = `${title} · countersign`
  }, [title])
  useEffect(() => {
    if (shown.current === current) return
    shown.current = current
    scrollTo(0, 0)
    // What is opened within a view takes the focus itself.
    if (main.current?.querySelector('.panel') === null) main.current.querySelector('h1')?.focus()
  }, [current])

  useEffect(() => {
    addEventListener('keydown', moveFromAnywhere)
    return () => removeEventListener('keydown', moveFromAnywhere)
  }, [])

  return (
    <>
      <TopBar current={current} />
      <main ref={main} tabIndex={-1}>
        <View key={current} address={rest} exchanges={exchanges} />
      </main>
      <UndoBar />
    </>
  )
}
