import './violations/cases.test.js'
import './violations/violations.test.js'
import './violations/mistakes.test.js'
