import './exec/actions.test.js'
import './exec/child.test.js'
import './exec/gates.test.js'
import './exec/reports.test.js'
