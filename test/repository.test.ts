import './repository/architecture.test.js'
import './repository/generate.test.js'
import './repository/openapi.test.js'
import './repository/sizes.test.js'
