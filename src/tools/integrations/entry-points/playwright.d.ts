import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test'
import type { MockSandbox, MockServer, MockServerOptions } from './index.js'

export { expect } from '@playwright/test'

/** The test fixtures that countersign adds to Playwright's own. */
export interface TestFixtures {
  /** The sandbox of this test. Your app and the test call the API at `countersign.url`. */
  readonly countersign: MockSandbox
}

/** The fixtures that all tests of a worker share. */
export interface WorkerFixtures {
  /**
   * Options for the server that a worker starts; a server at COUNTERSIGN_ADMIN_URL has its own options. `origins` are
   * further origins that get the header X-Mock-Sandbox, which the origin of `baseURL` gets.
   * @default {}
   * @example test.use({ countersignOptions: { fixtures: './test/fixtures.json' } })
   */
  readonly countersignOptions: MockServerOptions & { readonly origins?: readonly string[] }
  /** The server at COUNTERSIGN_ADMIN_URL if that is set, otherwise one that the worker starts. */
  readonly countersignServer: MockServer
}

/**
 * Playwright's `test` with the fixture `countersign`, a sandbox for each test. A path that begins with `/` and is passed
 * to `request` goes to the sandbox. If a test fails, the journal is attached to its report.
 *
 * @example
 * test('a failed save is shown', async ({ page, countersign }) => {
 *   await countersign.scenarios.activate('updateSubOrganizationMember:500')
 *   await page.goto(`http://127.0.0.1:5173/?api=${countersign.url}`)
 * })
 */
export declare const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
>
