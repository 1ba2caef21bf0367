import './provider/planted.long.test.js'
