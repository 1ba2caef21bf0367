import './files/nesting.test.js'
