import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, ConsoleMessage, Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { type Contract, statusesOf } from '../../src/engine/contract/contract.js'
import { until } from '../binary.js'
import { sharedBrowser, skipWithoutBrowser } from '../browser.js'
import { type Answer, adminOf, build, type Changes, type Server, type Settings, sendTo } from '../helper.js'

const desk = { width: 1280, height: 800, colorScheme: 'light' } as const
const phone = { width: 390, height: 844, colorScheme: 'dark' } as const
type Device = typeof desk | typeof phone

interface Dashboard {
  readonly page: Page
  readonly context: BrowserContext
  readonly server: Server
  readonly sandbox: string
  /** The base URL of the sandbox: `http://127.0.0.1:PORT/~NAME`. */
  readonly url: string
  readonly width: Device['width']
  readonly open: (address: string) => Promise<unknown>
  /** Sends a valid request of the operation, with these changes, to the sandbox. */
  readonly send: (contract: Contract, changes?: Changes, init?: RequestInit) => Promise<Answer>
  readonly admin: ReturnType<typeof adminOf>
}

interface FlowOptions {
  readonly at?: string
  readonly settings?: Partial<Settings>
  /** For the most frequent tasks. By default, flows alternate between the two widths. */
  readonly atBothWidths?: boolean
  readonly onlyAt?: Device['width']
}

type Steps = (t: Test, dashboard: Dashboard) => Promise<void>

t.jobs = 2

let flowCount = 0

/** A test on a desk, on a phone or on both. It ends with a check that the page is accessible. */
export function flow(name: string, { at = '', settings, atBothWidths, onlyAt }: FlowOptions, steps: Steps): void {
  const width = onlyAt ?? (++flowCount % 2 === 0 ? phone.width : desk.width)
  for (const device of [desk, phone].filter((device) => atBothWidths || device.width === width)) {
    t.test(`${name}, ${device.width} px`, { skip: skipWithoutBrowser, buffered: true }, async (t) => {
      const { server, root } = await (settings ? serve(t, settings) : sharedServer())
      const sandbox = `flow-${++sandboxCount}`
      const url = `${root}/~${sandbox}`
      const { page, browserErrors } = await pageOf(t, device)
      const open = (address: string) => page.goto(`${url}/__admin/${address}`)
      const send: Dashboard['send'] = (contract, changes, init) => sendTo(root, contract, { sandbox, ...changes }, init)
      const admin = adminOf(server, sandbox)
      await open(at)
      await steps(t, { page, context: page.context(), server, sandbox, url, width: device.width, open, send, admin })
      await accessible(t, page)
      t.strictSame(browserErrors, [], 'the browser logs no error')
    })
  }
}

let sandboxCount = 0
let shared: ReturnType<typeof serve> | undefined

function sharedServer() {
  shared ??= serve(t, {})
  return shared
}

async function serve(t: Test, settings: Partial<Settings>) {
  const server = await build(t, settings)
  return { server, root: await server.listen() }
}

/** Reusable pages: opening one takes longer. */
const idle = new Map<Device, Page[]>([
  [desk, []],
  [phone, []],
])

async function pageOf(t: Test, device: Device): Promise<{ page: Page; browserErrors: readonly string[] }> {
  const page = idle.get(device)?.pop() ?? (await openPage(device))
  const browserErrors: string[] = []
  const onError = (error: Error) => void browserErrors.push(error.message)
  const onConsole = (message: ConsoleMessage) => {
    // Flows make mistakes and stop servers on purpose.
    const isIntended = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isIntended) browserErrors.push(message.text())
  }
  page.on('console', onConsole)
  page.on('pageerror', onError)
  t.teardown(async () => {
    page.off('console', onConsole)
    page.off('pageerror', onError)
    const [, ...popups] = page.context().pages()
    for (const popup of popups) await popup.close()
    await page.context().unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto('about:blank')
    idle.get(device)?.push(page)
  })
  return { page, browserErrors }
}

async function openPage({ width, height, colorScheme }: Device): Promise<Page> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(30_000)
  return context.newPage()
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 at level AA. */
const CHECK = `axe.run(document, {
  iframes: false,
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`

/** Views that axe has checked at a width: a check takes longer than many flows. */
const checked = new Set<string>()

/** Checks that the page fits its window and, the first time that a view is open at a width, that axe finds nothing. */
export async function accessible(t: Test, page: Page): Promise<void> {
  t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page fits the window')
  const [place = '', ...rest] = page
    .url()
    .replace(/^.*__admin|\?.*$/g, '')
    .split(/(?<=\w)\//)
  const view = `${place} with ${rest.length} names at ${page.viewportSize()?.width}`
  if (checked.has(view)) return
  checked.add(view)
  // Below the bar, a target would count as too small.
  await page.evaluate('scrollTo(0, 0)')
  await page.evaluate(AXE)
  t.strictSame(await page.evaluate(CHECK), [], 'axe finds nothing')
}

let clipboard: Promise<unknown> = Promise.resolve()

function useClipboard<T>(use: () => Promise<T>): Promise<T> {
  const result = clipboard.then(use, use)
  clipboard = result
  return result
}

/** Clicks a copy button, and returns the content of the clipboard once the page shows 'Copied'. */
export function copy(within: Page | Locator, name: string): Promise<string> {
  const button = within.getByRole('button', { name, exact: true })
  return useClipboard(async () => {
    const confirmation = button.locator('..').getByText('Copied')
    // An earlier copy may still be confirmed.
    await confirmation.waitFor({ state: 'hidden' })
    await button.page().evaluate("navigator.clipboard.writeText('')")
    // On a busy machine, the confirmation may disappear before the click resolves.
    await Promise.all([confirmation.waitFor(), button.click()])
    return until(() => button.page().evaluate<string>('navigator.clipboard.readText()'))
  })
}

const outcomes = contracts.flatMap(statusesOf).length

export const outcomesMet = (count: number) => `${count} of ${outcomes} met`

export async function waitForFocus(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor()
}

export async function expectValue(t: Test, field: Locator, value: string): Promise<void> {
  await until(async () => (await field.inputValue()) === value).catch(() => {})
  t.equal(await field.inputValue(), value)
}

export async function replaceText(editor: Locator, text: string): Promise<void> {
  const { keyboard } = editor.page()
  await useClipboard(async () => {
    await editor.click()
    await editor.page().evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await keyboard.press('ControlOrMeta+A')
    await keyboard.press('ControlOrMeta+V')
  })
}

export async function expectText(t: Test, editor: Locator, text: string): Promise<void> {
  const current = async () => (await editor.locator('.cm-line').allTextContents()).join('\n')
  await until(async () => (await current()) === text).catch(() => {})
  t.equal(await current(), text)
}

export async function waitForSwitch(within: Page | Locator, name: string, checked: boolean): Promise<void> {
  await within.getByRole('switch', { name, exact: true, checked }).waitFor()
}
