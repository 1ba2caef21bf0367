import type { RequestHandler } from 'msw'
import type { MockSandbox } from './index.js'

/** Options for `handlers`. */
export interface HandlersOptions {
  /** Where your app calls the API, such as `https://api.example.com`. */
  readonly baseUrl: string
}

/** Returns handlers that send requests below `baseUrl` to a sandbox. @throws {InvalidOption} for an invalid URL */
export declare function handlers(sandbox: Pick<MockSandbox, 'fetch'>, options: HandlersOptions): RequestHandler[]
