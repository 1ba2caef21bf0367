import type { RequestHandler } from 'msw'
import type { ConnectedWorld, MockWorld } from './index.js'

/** Where an app calls the API. */
export interface HandlersOptions {
  /** Such as `https://api.example.com`; everything below it is answered by the mock, and nothing else. */
  readonly baseUrl: string
}

/**
 * MSW's handlers by which a mock, or one of its sandboxes, answers everything below a base URL, unknown paths included.
 * Other hosts are left alone.
 *
 * @example
 * const mock = await startMockServer({ port: 0 })
 * const server = setupServer(...handlers(mock, { baseUrl: 'https://api.example.com' }))
 *
 * @throws {InvalidOption} for a base URL that is none
 */
export declare function handlers(
  world: Pick<MockWorld | ConnectedWorld, 'fetch'>,
  options: HandlersOptions,
): RequestHandler[]
