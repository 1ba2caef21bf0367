/**
 * Node's `fetch` as it is when this package is loaded: tools that intercept calls, such as MSW, put their own in its
 * place afterwards, and what the mock does for a test is not for them.
 */
export const originalFetch = globalThis.fetch
