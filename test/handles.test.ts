import './handles/mock.test.js'
import './handles/handles.test.js'
import './handles/live.test.js'
import './handles/tls.test.js'
