import type * as Playwright from '@playwright/test'
import { isLoopbackOrigin } from '../../engine/http/loopback.js'
import { isSameServer } from './fetch-target.js'
import { journalText } from './journal-text.js'
import type { ApiSandbox, ApiServer, HandleTypes } from './mock-server.js'

interface SandboxFixtures<T extends HandleTypes> {
  readonly countersign: ApiSandbox<T>
  /** Runs in each test, and provides no value. */
  readonly countersignGuard: undefined
}

interface ServerFixtures<T extends HandleTypes> {
  readonly countersignOptions: object
  readonly countersignServer: ApiServer<T>
}

/** How a worker gets its server. */
interface ServerSource<T extends HandleTypes> {
  connect(adminUrl: string): Promise<ApiServer<T>>
  start(options: object): Promise<ApiServer<T>>
}

/** Playwright's `test` with a sandbox for each test. */
export function testWith<T extends HandleTypes>(
  { connect, start }: ServerSource<T>,
  { test }: Pick<typeof Playwright, 'test'>,
) {
  return test.extend<SandboxFixtures<T>, ServerFixtures<T>>({
    countersignOptions: [{}, { option: true, scope: 'worker' }],
    countersignServer: [
      async ({ countersignOptions }, use) => {
        const { COUNTERSIGN_ADMIN_URL: running } = process.env
        const server = running ? await connect(running) : await start({ port: 0, ...countersignOptions })
        await use(server)
        await server.close()
      },
      { scope: 'worker' },
    ],
    countersign: async ({ countersignServer }, use, testInfo) => {
      // The same test has the same name in each run, and so have its links.
      const sandbox = await countersignServer.sandbox(`test-${testInfo.testId}-${testInfo.retry}`)
      const title = testInfo.titlePath.filter((part) => part !== '').join(' › ')
      await sandbox.reset({ title, file: testInfo.file })
      await use(sandbox)
      if (testInfo.status === testInfo.expectedStatus) return
      const requests = await sandbox.requests()
      await testInfo.attach('countersign', { body: journalText(requests), contentType: 'text/plain' })
      await testInfo.attach('countersign journal', {
        body: JSON.stringify(requests, null, 2),
        contentType: 'application/json',
      })
    },
    // A path would be resolved against the server's root, and leave the sandbox.
    baseURL: async ({ baseURL, countersignServer }, use) => {
      await use(isAt(baseURL, countersignServer.url) ? undefined : baseURL)
    },
    countersignGuard: [
      async ({ baseURL, countersignServer }, use) => {
        if (isAt(baseURL, countersignServer.url)) throw new Error(LEAVES.replace('(URL)', `(${baseURL})`))
        await use(undefined)
      },
      { auto: true },
    ],
    // So that an app which passes the header on from its server stays in the test's sandbox, too.
    context: async ({ context, baseURL, extraHTTPHeaders, countersign }, use) => {
      await context.setExtraHTTPHeaders({ ...extraHTTPHeaders, ...countersign.headers })
      if (baseURL !== undefined && isPublic(baseURL)) await letCallLocalhost(context, new URL(baseURL).origin)
      await use(context)
    },
    request: async ({ request, countersign }, use) => {
      await use(requestsIn(request, countersign.url))
    },
  })
}

/** Why `test.use` must not set this base URL. */
const LEAVES =
  'baseURL (URL) is the countersign server, so relative paths would not go to the sandbox. Remove baseURL, and use countersign.url.'

function isPublic(url: string): boolean {
  return URL.canParse(url) && !isLoopbackOrigin(new URL(url).origin)
}

/** Chrome asks its user before a page of a public origin may call this machine; other browsers know no such permission. */
async function letCallLocalhost(context: Playwright.BrowserContext, origin: string): Promise<void> {
  await context.grantPermissions(['local-network-access'], { origin }).catch(() => {})
}

function isAt(url: string | undefined, serverUrl: string): boolean {
  return url !== undefined && URL.canParse(url) && isSameServer(new URL(url), new URL(serverUrl))
}

const METHODS: ReadonlySet<PropertyKey> = new Set(['delete', 'fetch', 'get', 'head', 'patch', 'post', 'put'])

/** Playwright's requests, with paths that begin with `/` resolved below the base URL of a sandbox. */
function requestsIn(context: Playwright.APIRequestContext, url: string): Playwright.APIRequestContext {
  return new Proxy(context, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (!METHODS.has(name)) return value.bind(target)
      return (to: unknown, ...rest: unknown[]) => {
        const isPath = typeof to === 'string' && /^\/(?!\/)/.test(to)
        return value.call(target, isPath ? `${url}${to}` : to, ...rest)
      }
    },
  })
}
