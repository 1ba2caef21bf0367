import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, ConsoleMessage, Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { type Contract, statusesOf } from '../../src/engine/contract/contract.js'
import { until } from '../binary.js'
import { aBrowser, noBrowser } from '../browser.js'
import { type Answer, adminOf, build, type Changes, type Server, type Settings, sendTo } from '../helper.js'

const desk = { width: 1280, height: 800, colorScheme: 'light' } as const
const phone = { width: 390, height: 844, colorScheme: 'dark' } as const
type Look = typeof desk | typeof phone

interface Dashboard {
  readonly page: Page
  readonly context: BrowserContext
  readonly server: Server
  readonly sandbox: string
  /** The base URL of the sandbox: `http://127.0.0.1:PORT/~NAME`. */
  readonly url: string
  readonly width: Look['width']
  readonly open: (address: string) => Promise<unknown>
  /** Calls the sandbox as the app does: a valid request of the operation, but for the changes. */
  readonly send: (contract: Contract, changes?: Changes, more?: RequestInit) => Promise<Answer>
  readonly admin: ReturnType<typeof adminOf>
}

interface FlowOptions {
  readonly at?: string
  readonly settings?: Partial<Settings>
  /** What people do most. By default, a flow has one of the widths, and the next flow the other one. */
  readonly atBothWidths?: boolean
  readonly onlyAt?: Look['width']
}

type Story = (t: Test, dashboard: Dashboard) => Promise<void>

t.jobs = 2

let count = 0

/** A test on a desk, on a phone or on both; at its end nothing sticks out, and axe finds nothing in a view new to it. */
export function flow(name: string, { at = '', settings, atBothWidths, onlyAt }: FlowOptions, story: Story): void {
  const width = onlyAt ?? (++count % 2 === 0 ? phone.width : desk.width)
  for (const look of [desk, phone].filter((one) => atBothWidths || one.width === width)) {
    t.test(`${name}, ${look.width} px`, { skip: noBrowser, buffered: true }, async (t) => {
      const { server, root } = await (settings ? serve(t, settings) : sharedServer())
      const sandbox = `flow-${++flows}`
      const url = `${root}/~${sandbox}`
      const { page, complaints } = await pageOf(t, look)
      const open = (address: string) => page.goto(`${url}/__admin/${address}`)
      const send: Dashboard['send'] = (contract, changes, more) => sendTo(root, contract, { sandbox, ...changes }, more)
      const admin = adminOf(server, sandbox)
      await open(at)
      await story(t, { page, context: page.context(), server, sandbox, url, width: look.width, open, send, admin })
      await accessible(t, page)
      t.strictSame(complaints, [], 'the browser complains about nothing')
    })
  }
}

let flows = 0
let shared: ReturnType<typeof serve> | undefined

function sharedServer() {
  shared ??= serve(t, {})
  return shared
}

async function serve(t: Test, settings: Partial<Settings>) {
  const server = await build(t, settings)
  return { server, root: await server.listen() }
}

/** Pages that no flow uses now: to open another one takes longer. */
const idle = new Map<Look, Page[]>([
  [desk, []],
  [phone, []],
])

async function pageOf(t: Test, look: Look): Promise<{ page: Page; complaints: readonly string[] }> {
  const page = idle.get(look)?.pop() ?? (await openPage(look))
  const complaints: string[] = []
  const onError = (error: Error) => void complaints.push(error.message)
  const onConsole = (message: ConsoleMessage) => {
    // Flows make mistakes and stop servers on purpose.
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
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
    idle.get(look)?.push(page)
  })
  return { page, complaints }
}

async function openPage({ width, height, colorScheme }: Look): Promise<Page> {
  const browser = await aBrowser()
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

/** The views that axe has seen at a width: it takes longer than many a flow. */
const checked = new Set<string>()

/** Asks whether the page is as wide as its window and, the first time that a view is open at its width, axe. */
export async function accessible(t: Test, page: Page): Promise<void> {
  t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing sticks out')
  const [place = '', ...rest] = page
    .url()
    .replace(/^.*__admin|\?.*$/g, '')
    .split(/(?<=\w)\//)
  const view = `${place} with ${rest.length} names at ${page.viewportSize()?.width}`
  if (checked.has(view)) return
  checked.add(view)
  // What the bar covers is too small a target.
  await page.evaluate('scrollTo(0, 0)')
  await page.evaluate(AXE)
  t.strictSame(await page.evaluate(CHECK), [], 'axe finds nothing')
}

let clipboard: Promise<unknown> = Promise.resolve()

function useClipboard<T>(use: () => Promise<T>): Promise<T> {
  const used = clipboard.then(use, use)
  clipboard = used
  return used
}

/** Presses a copy button, and returns what is in the clipboard when the page says that it has copied. */
export function copy(within: Page | Locator, name: string): Promise<string> {
  const button = within.getByRole('button', { name, exact: true })
  return useClipboard(async () => {
    const said = button.locator('..').getByText('Copied')
    // Of what was copied before.
    await said.waitFor({ state: 'hidden' })
    await button.page().evaluate("navigator.clipboard.writeText('')")
    // On a busy machine it may be said no more when the click is done.
    await Promise.all([said.waitFor(), button.click()])
    return until(() => button.page().evaluate<string>('navigator.clipboard.readText()'))
  })
}

const outcomes = contracts.flatMap(statusesOf).length

export const met = (count: number) => `${count} of ${outcomes} met`

export async function focused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor()
}

export async function filled(t: Test, field: Locator, value: string): Promise<void> {
  await until(async () => (await field.inputValue()) === value).catch(() => {})
  t.equal(await field.inputValue(), value)
}

export async function write(editor: Locator, text: string): Promise<void> {
  const { keyboard } = editor.page()
  await useClipboard(async () => {
    await editor.click()
    await editor.page().evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await keyboard.press('ControlOrMeta+A')
    await keyboard.press('ControlOrMeta+V')
  })
}

export async function written(t: Test, editor: Locator, text: string): Promise<void> {
  const now = async () => (await editor.locator('.cm-line').allTextContents()).join('\n')
  await until(async () => (await now()) === text).catch(() => {})
  t.equal(await now(), text)
}

export async function switched(within: Page | Locator, name: string, checked: boolean): Promise<void> {
  await within.getByRole('switch', { name, exact: true, checked }).waitFor()
}
