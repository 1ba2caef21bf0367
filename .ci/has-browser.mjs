// Whether there is a browser that the tests can drive.
import { findBrowser } from '../test/find-browser.mjs'

process.exitCode = findBrowser() === undefined ? 1 : 0
