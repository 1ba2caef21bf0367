import './mutants/mutate.test.js'
