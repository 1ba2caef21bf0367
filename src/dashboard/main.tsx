import { render } from 'preact'
import { TopBar } from './bar/top-bar.js'
import { LiveContext } from './context.js'
import { Dashboard } from './dashboard.js'
import { Live } from './live.js'
import { comeBack } from './sign-in.js'

/** Of the documentation, which is a page of its own, only the bar. */
const bar = document.getElementById('bar')

comeBack()

render(
  <LiveContext.Provider value={new Live('events?exchanges=summary')}>
    {bar === null ? <Dashboard /> : <TopBar current="docs" />}
  </LiveContext.Provider>,
  bar ?? document.body,
)
