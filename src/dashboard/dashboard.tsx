import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useAddress } from './address.js'
import { useExchanges } from './exchanges.js'
import { TopBar } from './top-bar.js'
import { Mail } from './views/mail.js'
import { Outcomes } from './views/outcomes.js'
import { Requests } from './views/requests.js'
import { Scenarios } from './views/scenarios.js'
import { State } from './views/state.js'
import { Worlds } from './views/worlds.js'

/** The views in the order of the navigation, by the first part of their address. */
const views = {
  requests: { title: 'Requests', view: Requests },
  outcomes: { title: 'Outcomes', view: Outcomes },
  scenarios: { title: 'Scenarios', view: Scenarios },
  mail: { title: 'Mail', view: Mail },
  state: { title: 'State', view: State },
  worlds: { title: 'Worlds', view: Worlds },
} as const

/** The admin API with a face. */
export function Dashboard() {
  const [first = '', ...rest] = useAddress()
  const exchanges = useExchanges()
  const current = first in views ? (first as keyof typeof views) : 'requests'
  const { title, view: View } = views[current]
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

  return (
    <>
      <TopBar views={views} current={current} />
      <main ref={main} tabIndex={-1}>
        <View key={current} address={rest} exchanges={exchanges} />
      </main>
    </>
  )
}
