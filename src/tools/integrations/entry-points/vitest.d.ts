import type {} from 'vitest'
import type { MockSandbox, MockServerOptions } from './index.js'

/** Provided to the tests. */
export interface Provided {
  readonly adminUrl: string
  readonly adminToken: string | undefined
  readonly token: string
  /** The Vitest project: several projects may run the same file at once. */
  readonly project: string
}

/** The used part of a Vitest project. */
export interface Project {
  readonly name?: string
  readonly config: { readonly provide?: { readonly countersignOptions?: MockServerOptions } }
  provide(key: 'countersign', value: Provided): void
}

/**
 * Vitest's `globalSetup`: starts a server or, under `countersign exec`, uses the server that exec started.
 * @example
 * export default defineConfig({
 *   test: { globalSetup: ['countersign/vitest'], provide: { countersignOptions: { clock: '2026-01-15T09:30:00Z' } } },
 * })
 * @throws {Error} if the server at COUNTERSIGN_ADMIN_URL does not answer
 */
export default function setup(project: Project): Promise<() => Promise<void>>

/**
 * Returns a sandbox for the tests of one file, which is reset before each test; a failed test prints its journal.
 * @example
 * const sandbox = useSandbox()
 * test('an expired token is an error', async () => {
 *   await sandbox.scenarios.activate('listCreditHistories:401') // then call your code with sandbox.url
 * })
 * @throws {Error} if the global setup did not run
 */
export declare function useSandbox(): MockSandbox

declare module 'vitest' {
  interface ProvidedContext {
    readonly countersign: Provided
    /** Options of the server that the global setup starts. */
    readonly countersignOptions: MockServerOptions
  }
}
