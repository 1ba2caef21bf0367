import type { RequestHandler } from 'msw'
import { quote } from '../../engine/contract/wording.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import { withoutTrailingSlashes } from '../../engine/http/slashes.js'
import type { HandleTypes, SandboxHandle } from './mock-server.js'

type Msw = Pick<typeof import('msw'), 'http' | 'HttpResponse'>

/** Entry points pass the MSW of their module format. @throws {InvalidOption} for an invalid base URL */
export function handlersWith(
  { http, HttpResponse }: Msw,
  sandbox: Pick<SandboxHandle<HandleTypes>, 'fetch'>,
  { baseUrl }: { readonly baseUrl?: string } = {},
): RequestHandler[] {
  if (typeof sandbox?.fetch !== 'function') {
    const value = sandbox instanceof Promise ? 'a promise: await it first' : quote(sandbox)
    throw new InvalidOption(`handlers needs a server or a sandbox, not ${value}.`)
  }
  const base = parseBaseUrl(baseUrl)
  const pattern = new RegExp(`^${base.href.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?=/|$)`)
  return [
    http.all(pattern, async ({ request }) => {
      const { pathname, search } = new URL(request.url)
      const path = pathname.slice(base.path.length) || '/'
      try {
        const { method, body, signal } = request
        const headers = [...pageOrigin(), ...request.headers]
        return await sandbox.fetch(`${path}${search}`, { method, headers, body, signal, redirect: 'manual' })
      } catch (error) {
        // A fault becomes a network error; a caller that aborted knows the reason.
        if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error()
        throw error
      }
    }),
  ]
}

/** happy-dom checks CORS, but its `Request` lacks the header Origin. */
function pageOrigin(): [string, string][] {
  const { location } = globalThis as { location?: { readonly origin: string } }
  return location?.origin.startsWith('http') ? [['origin', location.origin]] : []
}

/** Returns both without a slash at the end. */
function parseBaseUrl(baseUrl = ''): { readonly href: string; readonly path: string } {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new InvalidOption(
      `baseUrl must be the URL at which your app calls the API, such as https://api.example.com, not ${quote(baseUrl)}.`,
    )
  const path = withoutTrailingSlashes(url.pathname)
  return { href: `${url.origin}${path}`, path }
}
