import './journal/annotations.test.js'
import './journal/journal.test.js'
import './journal/links.test.js'
import './journal/secrets.test.js'
