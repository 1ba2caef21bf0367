import { existsSync } from 'node:fs'

export { build } from './helper.js'

export const CHROMIUM = '/usr/bin/chromium'

export const FLAGS: string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Why what needs a browser is skipped; false where there is one. */
export const noBrowser = existsSync(CHROMIUM) ? false : `there is no browser at ${CHROMIUM}`
