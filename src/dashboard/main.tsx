import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useAddress } from './address.js'
import { TITLES, TopBar, type ViewName } from './bar/top-bar.js'
import { listen } from './live.js'
import { moveByKeys } from './parts/rows.js'
import { UndoBar } from './parts/undo.js'
import { comeBack } from './sign-in.js'
import { Mail } from './views/mail.js'
import { Outcomes } from './views/outcomes.js'
import { Requests } from './views/requests.js'
import { Sandboxes } from './views/sandboxes.js'
import { Scenarios } from './views/scenarios.js'
import { State } from './views/state.js'
import { nameOf, sandboxHere } from './world.js'

const views = {
  requests: Requests,
  outcomes: Outcomes,
  scenarios: Scenarios,
  mail: Mail,
  state: State,
  sandboxes: Sandboxes,
}

/** Root component of the dashboard. */
function Dashboard() {
  const [first = '', ...rest] = useAddress()
  const current = first in views ? (first as ViewName) : 'requests'
  const View = views[current]
  const main = useRef<HTMLElement>(null)
  const shown = useRef(current)

  useLayoutEffect(() => {
    document.title = [TITLES[current], sandboxHere && nameOf(sandboxHere), 'countersign'].filter(Boolean).join(' · ')
  }, [current])
  useEffect(() => {
    if (shown.current === current) return
    shown.current = current
    scrollTo(0, 0)
    // What is opened within a view takes the focus itself.
    if (main.current?.querySelector('.panel') === null) main.current.querySelector('h1')?.focus()
  }, [current])

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

/** Of the documentation, which is a page of its own, only the bar. */
const bar = document.getElementById('bar')

comeBack()
listen()
addEventListener('keydown', moveByKeys)
render(bar === null ? <Dashboard /> : <TopBar current="docs" />, bar ?? document.body)
