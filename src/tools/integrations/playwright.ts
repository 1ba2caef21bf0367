import type * as Playwright from '@playwright/test'
import { isLoopbackOrigin } from '../../engine/http/loopback.js'
import type { ExchangeEntry } from '../../engine/journal/entry.js'
import { isSameServer } from './fetch.js'
import { journalText } from './journal-text.js'
import type { ApiSandbox, ApiServer, HandleTypes } from './mock-server.js'

interface ServerSource<T extends HandleTypes> {
  connect(adminUrl: string): Promise<ApiServer<T>>
  start(options: object): Promise<ApiServer<T>>
}

export function testWith<T extends HandleTypes>(
  { connect, start }: ServerSource<T>,
  { test }: Pick<typeof Playwright, 'test'>,
) {
  /** The sandbox of the test that runs in this worker. */
  let testSandbox: TestSandbox | undefined
  return test.extend<
    { countersign: ApiSandbox<T> },
    { countersignOptions: { origins?: readonly string[] }; countersignServer: ApiServer<T> }
  >({
    countersignOptions: [{}, { option: true, scope: 'worker' }],
    countersignServer: [
      async ({ countersignOptions: { origins: _, ...options } }, use) => {
        const { COUNTERSIGN_ADMIN_URL } = process.env
        const server = COUNTERSIGN_ADMIN_URL
          ? await connect(COUNTERSIGN_ADMIN_URL)
          : await start({ port: 0, ...options })
        const earlierIds = new Set((await server.requests()).map(({ id }) => id))
        await use(server)
        const rootRequests = (await server.requests()).filter(({ id }) => !earlierIds.has(id))
        if (rootRequests.length > 0) console.warn(describeRootRequests(rootRequests))
        await server.close()
      },
      { scope: 'worker' },
    ],
    // Automatic: pages and contexts send the sandbox's header, even in tests that do not use this fixture.
    countersign: [
      async ({ baseURL, countersignServer, countersignOptions }, use, testInfo) => {
        const { url } = countersignServer
        if (isOnServer(baseURL, url)) throw new Error(baseUrlMessage(baseURL))
        // A rerun has the same sandbox name, so links to the sandbox stay valid.
        const sandbox = await countersignServer.sandbox(`test-${testInfo.testId}-${testInfo.retry}`)
        const title = testInfo.titlePath.filter((part) => part !== '').join(' › ')
        await sandbox.reset({ title, file: testInfo.file })
        testSandbox = new TestSandbox(sandbox.headers, url, baseURL, countersignOptions.origins)
        await use(sandbox)
        testSandbox = undefined
        if (testInfo.status === testInfo.expectedStatus) return
        const requests = await sandbox.requests()
        const journal = JSON.stringify(requests, null, 2)
        await testInfo.attach('countersign', { body: journalText(requests), contentType: 'text/plain' })
        await testInfo.attach('countersign journal', { body: journal, contentType: 'application/json' })
      },
      { auto: true },
    ],
    // Ignores the config's base URL if it is the server's root; 'countersign' rejects one that `test.use` sets.
    baseURL: async ({ baseURL, countersignServer }, use) => {
      await use(isOnServer(baseURL, countersignServer.url) ? undefined : baseURL)
    },
    browser: [
      async ({ browser }, use) => {
        const { newContext } = browser
        browser.newContext = async (options) => {
          const context = await newContext.call(browser, options)
          await testSandbox?.prepare(context)
          return context
        }
        await use(browser)
        browser.newContext = newContext
      },
      { scope: 'worker' },
    ],
    // VS Code's "reuse browser" keeps one context for all tests, without `newContext`.
    context: async ({ context }, use) => {
      await testSandbox?.prepare(context)
      await use(context)
    },
    request: async ({ request, countersign }, use) => {
      testSandbox?.addSandboxHeader(request, countersign.url)
      await use(request)
    },
  })
}

function baseUrlMessage(url = ''): string {
  return `baseURL (${url}) is the countersign server, so relative paths would not go to the sandbox. Remove baseURL, and use countersign.url.`
}

function describeRootRequests(requests: readonly ExchangeEntry[]): string {
  const { method, url } = requests.at(-1) as ExchangeEntry
  return `countersign: ${requests.length} of the requests used the root in place of a test's sandbox, the first one ${method} ${url}. Send them to countersign.url, or pass on the header X-Mock-Sandbox.`
}

/** Sends the sandbox's header only to the app and countersign. */
class TestSandbox {
  readonly #prepared = new WeakSet<Playwright.BrowserContext>()
  readonly #origins: Set<string>
  #hasApp: boolean

  constructor(
    private readonly headers: Readonly<Record<string, string>>,
    private readonly serverUrl: string,
    private readonly baseURL: string | undefined,
    origins: readonly string[] = [],
  ) {
    const urls = baseURL === undefined ? origins : [baseURL, ...origins]
    this.#origins = new Set(urls.map((url) => new URL(url).origin))
    this.#hasApp = baseURL !== undefined
  }

  async prepare(context: Playwright.BrowserContext): Promise<void> {
    if (this.#prepared.has(context)) return
    this.#prepared.add(context)
    this.addSandboxHeader(context.request)
    // Chrome asks before public pages may call this machine; other browsers do not know the permission.
    const origin = this.baseURL && new URL(this.baseURL).origin
    if (origin && !isLoopbackOrigin(origin))
      await context.grantPermissions(['local-network-access'], { origin }).catch(() => {})
    await context.route(/^https?:/, (route, request) => {
      const getsHeader = this.#getsSandboxHeader(request.url(), request.isNavigationRequest())
      return route.fallback(getsHeader ? { headers: { ...request.headers(), ...this.headers } } : {})
    })
  }

  /** Paths that begin with `/` are appended to `sandboxUrl`. */
  addSandboxHeader(requests: Playwright.APIRequestContext, sandboxUrl = ''): void {
    const { fetch } = requests
    requests.fetch = (target, options = {}) => {
      if (typeof target !== 'string') return fetch.call(requests, target, options)
      const url = /^\/(?!\/)/.test(target) ? `${sandboxUrl}${target}` : target
      const getsHeader = URL.canParse(url, this.baseURL) && this.#getsSandboxHeader(new URL(url, this.baseURL).href)
      if (!getsHeader) return fetch.call(requests, url, options)
      return fetch.call(requests, url, { ...options, headers: { ...this.headers, ...options.headers } })
    }
  }

  /** Without a base URL, the first opened page is the app. */
  #getsSandboxHeader(url: string, isPage = false): boolean {
    const { origin, pathname } = new URL(url)
    // The URL of a sandbox needs no header.
    if (isOnServer(url, this.serverUrl)) return !pathname.includes('/~')
    if (isPage && !this.#hasApp) this.#origins.add(origin)
    this.#hasApp ||= isPage
    return this.#origins.has(origin)
  }
}

function isOnServer(url: string | undefined, serverUrl: string): boolean {
  return url !== undefined && URL.canParse(url) && isSameServer(new URL(url), new URL(serverUrl))
}
