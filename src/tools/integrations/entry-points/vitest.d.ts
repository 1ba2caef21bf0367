import type {} from 'vitest'
import type { MockSandbox, MockServerOptions } from './index.js'

/** Provided by the global setup to the tests. */
export interface Provided {
  readonly adminUrl: string
  readonly adminToken: string | undefined
  readonly token: string
  /** The name of the project, because several projects may run the same file at once. */
  readonly project: string
}

/** The part of a Vitest project that the global setup uses. */
export interface Project {
  readonly name?: string
  readonly config: { readonly provide?: { readonly countersignOptions?: MockServerOptions } }
  provide(key: 'countersign', value: Provided): void
}

/**
 * Vitest's `globalSetup`: starts a server for the whole run, or uses the one that `countersign exec` started. It reads the
 * config file and the environment as `exec` does, and takes options that come before both, as `countersignOptions` in
 * `provide`.
 *
 * @example
 * // vitest.config.ts
 * export default defineConfig({
 *   test: { globalSetup: ['countersign/vitest'], provide: { countersignOptions: { clock: '2026-01-15T09:30:00Z' } } },
 * })
 *
 * @throws {Error} if the server at COUNTERSIGN_ADMIN_URL does not answer
 */
export default function setup(project: Project): Promise<() => Promise<void>>

/**
 * Returns a sandbox for the tests of one file. Its state, journal and scenarios are reset before each test. If a test
 * fails, the journal is printed with its result.
 *
 * @example
 * const sandbox = useSandbox()
 * test('the last page is shorter', async () => {
 *   const response = await fetch(`${sandbox.url}/api/v2/credits/histories?page=3`)
 * })
 *
 * @throws {Error} if the global setup did not run
 */
export declare function useSandbox(): MockSandbox

declare module 'vitest' {
  interface ProvidedContext {
    readonly countersign: Provided
    /** Options for the server that the global setup starts. A server at COUNTERSIGN_ADMIN_URL has its own options. */
    readonly countersignOptions: MockServerOptions
  }
}
