import type { RequestHandler } from 'msw'
import type { MockSandbox } from './index.js'

/** Options for `handlers`. */
export interface HandlersOptions {
  /** The URL at which your app calls the API, such as `https://api.example.com`. The mock answers everything below it. */
  readonly baseUrl: string
}

/**
 * Returns MSW handlers that let a mock, or one of its sandboxes, answer everything below a base URL, including unknown
 * paths. Calls to other hosts are not affected.
 *
 * @example
 * const mock = await startMockServer({ port: 0 })
 * const server = setupServer(...handlers(mock, { baseUrl: 'https://api.example.com' }))
 *
 * @throws {InvalidOption} if the base URL is invalid
 */
export declare function handlers(sandbox: Pick<MockSandbox, 'fetch'>, options: HandlersOptions): RequestHandler[]
