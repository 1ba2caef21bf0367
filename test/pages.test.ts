import './pages/complete.test.js'
import './pages/docs.test.js'
import './pages/pages.test.js'
