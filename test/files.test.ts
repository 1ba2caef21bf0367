import './files/nesting.test.js'
import './files/special-files.test.js'
import './files/watch-folders.test.js'
