import './switches/answers.test.js'
import './switches/bodies.test.js'
import './switches/config.test.js'
import './switches/everywhere.test.js'
