import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The headless shell is first: it renders the same with a fifth less processor time.
const NAMES = `chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome
  microsoft-edge msedge`.split(/\s+/)

/** Where installers put browsers that PATH does not find. */
const INSTALL_PATHS = [
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/opt/microsoft/msedge/msedge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) =>
    [String.raw`Google\Chrome\Application\chrome.exe`, String.raw`Microsoft\Edge\Application\msedge.exe`].map((file) =>
      join(process.env[name] ?? '', file),
    ),
  ),
]

export const INSTALL_BROWSER =
  'install Chromium (Debian, Ubuntu: sudo apt-get install chromium), Chrome or Edge, or set its path: CHROMIUM=PATH npm test'

/** Path of a Chromium-based browser: the value of CHROMIUM, else the first browser found. */
export function findBrowser({ CHROMIUM, PATH = '' } = process.env) {
  if (CHROMIUM) return existsSync(CHROMIUM) ? CHROMIUM : undefined
  const onPath = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...onPath, ...INSTALL_PATHS].find((file) => existsSync(file))
}
