import './state/many-records.test.js'
import './state/patch.test.js'
import './state/persist.test.js'
import './state/references.test.js'
