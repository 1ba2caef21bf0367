import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test'
import type { MockSandbox, MockServer, MockServerOptions } from './index.js'

export { expect } from '@playwright/test'

export interface TestFixtures {
  /** The sandbox of this test; your app calls the API at `countersign.url`. */
  readonly countersign: MockSandbox
}

export interface WorkerFixtures {
  /**
   * Options of the server that a worker starts. Requests to `origins` and to `baseURL` carry X-Mock-Sandbox.
   * @default {}
   * @example test.use({ countersignOptions: { fixtures: './test/fixtures.json' } })
   */
  readonly countersignOptions: MockServerOptions & { readonly origins?: readonly string[] }
  /** The server at COUNTERSIGN_ADMIN_URL, or one that the worker starts. */
  readonly countersignServer: MockServer
}

/**
 * Playwright's `test` with a sandbox for each test. Paths such as `/x` in `request` go to it; its journal is attached to a failed test.
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
