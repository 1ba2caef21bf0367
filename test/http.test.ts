import './http/bodies.test.js'
import './http/forms.test.js'
import './http/routes.test.js'
