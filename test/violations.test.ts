import './violations/cases.test.js'
import './violations/complaints.test.js'
import './violations/mistakes.test.js'
import './violations/violations.test.js'
