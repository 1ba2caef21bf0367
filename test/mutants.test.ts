import './mutants/altered.test.js'
import './mutants/mutate.test.js'
