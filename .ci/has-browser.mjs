// Whether there is a browser that the tests can drive.
import { findBrowser } from '../test/run/find-browser.mjs'

process.exitCode = findBrowser() === undefined ? 1 : 0
