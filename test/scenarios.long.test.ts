import './scenarios/large-files.long.test.js'
