import './provider/mutants.long.test.js'
import './provider/write-interpretations.long.test.js'
