import { type Browser, chromium } from 'playwright-core'
import t from 'tap'
import { findBrowser, INSTALL_BROWSER } from './find-browser.mjs'

const executablePath = findBrowser()

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Why tests that need a browser are skipped; false if a browser is installed or required. */
export const skipWithoutBrowser =
  executablePath === undefined && process.env.REQUIRE_BROWSER !== '1' ? `no browser found: ${INSTALL_BROWSER}` : false

/** All tests of a process share one browser, which takes two seconds to start; each page has its own context. */
let browser: Promise<Browser> | undefined

export function sharedBrowser(): Promise<Browser> {
  browser ??= launch()
  return browser
}

async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`No browser found: ${INSTALL_BROWSER}.`)
  const launched = await chromium.launch({ executablePath, args: FLAGS })
  t.teardown(() => launched.close())
  return launched
}
