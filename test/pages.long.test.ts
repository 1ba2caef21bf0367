import './pages/snippets.long.test.js'
