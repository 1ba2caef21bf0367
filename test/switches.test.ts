import './switches/answers.test.js'
import './switches/config.test.js'
