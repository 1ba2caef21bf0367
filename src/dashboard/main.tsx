import { render } from 'preact'
import { LiveContext } from './context.js'
import { Dashboard } from './dashboard.js'
import { Live } from './live.js'
import { comeBack } from './sign-in.js'

comeBack()

render(
  <LiveContext.Provider value={new Live('events?exchanges=summary')}>
    <Dashboard />
  </LiveContext.Provider>,
  document.body,
)
