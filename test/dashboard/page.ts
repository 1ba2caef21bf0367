import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { until } from '../binary.js'
import { aBrowser, noBrowser } from '../browser.js'
import { build, type Server, type ServerParts, type Settings } from '../helper.js'

export interface Look {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

const wide = { width: 1280, height: 800 }
const narrow = { width: 360, height: 740 }
export const looks: readonly Look[] = [
  { name: 'a desk, light', viewport: wide, colorScheme: 'light' },
  { name: 'a desk, dark', viewport: wide, colorScheme: 'dark' },
  { name: 'a phone, light', viewport: narrow, colorScheme: 'light' },
  { name: 'a phone, dark', viewport: narrow, colorScheme: 'dark' },
]

/** What people do on a phone they can do on a desk: it is done where the room is scarce. */
export const phone = looks.at(-1) as Look

/** A page of the dashboard, and what its browser complained about: errors, and what the policy forbids. */
export interface Shown {
  readonly page: Page
  readonly context: BrowserContext
  readonly problems: readonly string[]
}

/** Pages that no test uses: to lead one elsewhere takes a quarter of what it takes to open one. */
const idle: Page[] = []

/** Opens a page as it is shown on a desk or a phone; addresses are relative to `url`. */
export async function show(t: Test, browser: Browser, url: string, look: Look = looks[0] as Look): Promise<Shown> {
  const { viewport, colorScheme } = look
  const page = idle.pop() ?? (await openPage(browser))
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  const left = new URL(page.url()).origin
  const problems: string[] = []
  const onConsole = (message: ConsoleMessage) => {
    if (!['error', 'warning'].includes(message.type())) return
    if (left === 'null' || !message.location().url.startsWith(left)) problems.push(message.text())
  }
  const onError = (error: Error) => void problems.push(error.message)
  page.on('console', onConsole)
  page.on('pageerror', onError)
  t.teardown(async () => {
    page.off('console', onConsole)
    page.off('pageerror', onError)
    // One that is on its way elsewhere just now cannot be asked to forget.
    await forget(page).then(
      () => idle.push(page),
      () => page.context().close(),
    )
  })
  // Where only what stands behind `#` differs, nothing is loaded.
  if ((await page.goto(url)) === null) await page.reload()
  return { page, context: page.context(), problems }
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], timezoneId: 'UTC' })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  return page
}

/** Leaves nothing of a test's to the next. */
async function forget(page: Page): Promise<void> {
  const context = page.context()
  await context.unrouteAll()
  await context.clearCookies()
  await page.evaluate("origin === 'null' || (localStorage.clear(), sessionStorage.clear())")
}

export interface Visit extends Shown {
  readonly server: Server
  readonly url: string
}

export interface Visiting {
  /** What follows `/__admin/`; in a sandbox what follows the server's address. */
  readonly at?: string
  readonly look?: Look
  readonly settings?: Partial<Settings>
  readonly parts?: ServerParts
  readonly expected?: RegExp
}

type Story = (t: Test, visit: Visit) => Promise<void>

/** A test on a page; the browser must have nothing to complain about but what is expected. */
export function visit(name: string, { at = '', look, settings, parts, expected }: Visiting, story: Story): void {
  t.test(look === undefined ? name : `${name}: ${look.name}`, { skip: noBrowser }, async (t) => {
    const server = await build(t, settings, parts)
    const url = await server.listen()
    const start = at.startsWith('/') ? `${url}${at}` : `${url}/__admin/${at}`
    const shown = await show(t, await aBrowser(), start, look)
    await story(t, { ...shown, server, url })
    const unexpected = shown.problems.filter((problem) => expected?.test(problem) !== true)
    t.strictSame(unexpected, [], 'the browser has nothing else to complain about')
  })
}

export async function open({ page, url }: Visit, view: string): Promise<void> {
  await page.goto(`${url}/__admin/#/${view}`)
}

export async function press(within: Page | Locator, name: string): Promise<void> {
  await within.getByRole('button', { name, exact: true }).click()
}

export async function pressAndConfirm(page: Page, name: string, within: Page | Locator = page): Promise<void> {
  await press(within, name)
  await press(page.getByRole('dialog'), name)
}

/** Presses a switch, and waits until it is in its position. */
export async function flip(page: Page, name: string, on: boolean): Promise<void> {
  await page.getByRole('switch', { name, exact: true }).click()
  await switched(page, name, on)
}

export function fits(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= innerWidth')
}

export function clipboard(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()')
}

/** Waits until a text is somewhere in the page's main part. */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('main').getByText(text).filter({ visible: true }).first().waitFor()
}

export async function switched(page: Page | Locator, name: string, on: boolean): Promise<void> {
  await page
    .locator(`[role=switch][aria-checked=${on}]`)
    .and(page.getByRole('switch', { name, exact: true }))
    .waitFor()
}

export async function goTo(page: Page, view: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: view, exact: true }).click()
}

/** Waits until what a selector names has the focus. */
export async function focused(page: Page, selector: string): Promise<void> {
  await page.locator(`${selector}:focus`).waitFor()
}

export async function count(of: Locator, number: number): Promise<void> {
  await until(async () => (await of.count()) === number)
}
