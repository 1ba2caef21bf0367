import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { startStream } from './live.js'
import { currentSandbox, labelOf, useAddress } from './page.js'
import { UndoBar } from './parts/edits.js'
import { moveByKeys } from './parts/list.js'
import { TopBar, VIEWS } from './top-bar.js'
import { Mail } from './views/mail.js'
import { Outcomes } from './views/outcomes.js'
import { Requests } from './views/requests.js'
import { Sandboxes } from './views/sandboxes.js'
import { Scenarios } from './views/scenarios.js'
import { State } from './views/state.js'

const views = { Requests, Outcomes, Scenarios, Mail, State, Sandboxes }

function Dashboard() {
  const [first = '', ...rest] = useAddress()
  const current = VIEWS.find((name) => name.toLowerCase() === first) ?? 'Requests'
  const View = views[current]
  const main = useRef<HTMLElement>(null)
  const shown = useRef(current)
  useLayoutEffect(() => {
    document.title = [current, currentSandbox && labelOf(currentSandbox), 'countersign'].filter(Boolean).join(' · ')
    if (shown.current === current) return
    shown.current = current
    scrollTo({ top: 0 })
    // A panel takes the focus itself.
    if (main.current?.querySelector('.panel') === null) main.current.querySelector('h1')?.focus()
  }, [current])
  return (
    <>
      <TopBar current={current} />
      <main ref={main} tabIndex={-1} spellcheck={false}>
        <View key={current} address={rest} />
      </main>
      <UndoBar />
    </>
  )
}

/** On the docs page, only the bar is drawn. */
const bar = document.getElementById('bar')

startStream()
addEventListener('keydown', moveByKeys)
addEventListener('hashchange', () => document.querySelector<HTMLElement>(':popover-open')?.hidePopover())
render(bar === null ? <Dashboard /> : <TopBar current="Docs" />, bar ?? document.body)
