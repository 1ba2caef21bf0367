import './action/action.long.test.js'
