// Exits with 1 if the tests find no browser.
import { findBrowser } from '../test/find-browser.mjs'

process.exitCode = findBrowser() === undefined ? 1 : 0
