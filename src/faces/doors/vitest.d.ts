import type {} from 'vitest'
import type { ConnectedWorld } from './index.js'

/** What the set-up tells the tests: where the server is, and whose token they use. */
export interface Provided {
  readonly adminUrl: string
  readonly adminToken: string | undefined
  readonly token: string
  /** The project's name, since projects may run the same file at once. */
  readonly project: string
}

/** The part of Vitest's project that the set-up uses. */
export interface Project {
  readonly name?: string
  provide(key: 'countersign', value: Provided): void
}

/**
 * Vitest's `globalSetup`: starts a server for a whole run, or takes the one of `countersign exec`.
 *
 * @example
 * // vitest.config.ts
 * export default defineConfig({ test: { globalSetup: ['countersign/vitest'] } })
 *
 * @throws {Error} where COUNTERSIGN_ADMIN_URL names a server that does not answer
 */
export default function setup(project: Project): Promise<() => Promise<void>>

/**
 * A sandbox for the tests of one file, which begins anew before each of them: state, journal, scenarios. The journal is
 * printed beside a test that fails.
 *
 * @example
 * const world = useSandbox()
 * test('the last page is shorter', async () => {
 *   const response = await fetch(`${world.url}/api/v2/credits/histories?page=3`)
 * })
 *
 * @throws {Error} where the set-up did not run
 */
export declare function useSandbox(): ConnectedWorld

declare module 'vitest' {
  interface ProvidedContext {
    readonly countersign: Provided
  }
}
