import './statements/statements.test.js'
