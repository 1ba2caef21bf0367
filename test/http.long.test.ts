import './http/long-texts.long.test.js'
