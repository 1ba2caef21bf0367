import { render } from 'preact'
import { Dashboard } from './dashboard.js'

render(<Dashboard />, document.body)
