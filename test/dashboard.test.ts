import './dashboard/requests.test.js'
import './dashboard/outcomes.test.js'
