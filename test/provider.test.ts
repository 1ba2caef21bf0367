import './provider/unavailable.test.js'
import './provider/verify.test.js'
import './provider/write-interpretations.test.js'
