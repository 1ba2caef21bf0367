import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test'
import type { ConnectedServer, ConnectedWorld, MockServerOptions } from './index.js'

export { expect } from '@playwright/test'

/** What a test may use beside Playwright's own. */
export interface TestFixtures {
  /** A sandbox of the test's own: your app and the test call the API at `countersign.url`. */
  readonly countersign: ConnectedWorld
}

/** What the tests of a worker share. */
export interface WorkerFixtures {
  /**
   * Options of the server that a worker starts; the one at COUNTERSIGN_ADMIN_URL has its own.
   * @default {}
   * @example test.use({ countersignOptions: { fixtures: './test/fixtures.json' } })
   */
  readonly countersignOptions: MockServerOptions
  /** The server at COUNTERSIGN_ADMIN_URL, or else one of the worker's own. */
  readonly countersignServer: ConnectedServer
}

/**
 * Playwright's `test` with the fixture `countersign`, a sandbox for each test. A path from `/` that `request` is given
 * is one of the sandbox. The journal is attached to the report of a test that fails.
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
