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

/** Why what needs a browser is skipped; false where there is one, or has to be. */
export const noBrowser =
  executablePath === undefined && process.env.REQUIRE_BROWSER !== '1'
    ? `there is no browser: ${INSTALL_BROWSER}`
    : false

/** The browser of all tests of a process, since starting one takes two seconds; each page gets a context of its own. */
let browser: Promise<Browser> | undefined

export function aBrowser(): Promise<Browser> {
  browser ??= launch()
  return browser
}

async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`There is no browser: ${INSTALL_BROWSER}.`)
  const launched = await chromium.launch({ executablePath, args: FLAGS })
  t.teardown(() => launched.close())
  return launched
}
