import type { RequestHandler } from 'msw'
import type { MockSandbox } from './index.js'

/** Options for `handlers`. */
export interface HandlersOptions {
  /** Where your app calls the API, such as `https://api.example.com`. */
  readonly baseUrl: string
}

/** Returns handlers that let a sandbox answer all requests below `baseUrl`. @throws {InvalidOption} for an invalid URL */
export declare function handlers(sandbox: Pick<MockSandbox, 'fetch'>, options: HandlersOptions): RequestHandler[]
