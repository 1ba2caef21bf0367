import './state/persist.test.js'
import './state/patch.test.js'
