import { type Browser, chromium } from 'playwright-core'
import type { Test } from 'tap'
import { findBrowser, INSTALL_BROWSER } from './run/find-browser.mjs'

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

/** A browser that closes itself. */
export async function launchBrowser(t: Test): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`There is no browser: ${INSTALL_BROWSER}.`)
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  t.teardown(() => browser.close())
  return browser
}
