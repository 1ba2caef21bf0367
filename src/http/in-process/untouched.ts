import http from 'node:http'
import https from 'node:https'

/**
 * How a program calls others, as it is when this package is loaded: tools that intercept calls, such as MSW, put their
 * own in these places afterwards, and what the mock does for a test is not for them.
 */
export const untouched = { fetch: globalThis.fetch, http: http.request, https: https.request } as const
