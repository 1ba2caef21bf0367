import type { APIRequestContext } from '@playwright/test'

const METHODS: ReadonlySet<PropertyKey> = new Set(['delete', 'fetch', 'get', 'head', 'patch', 'post', 'put'])

/** Playwright's requests, with paths that begin with `/` resolved below the base URL of a sandbox. */
export function requestsIn(context: APIRequestContext, url: string): APIRequestContext {
  return new Proxy(context, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (!METHODS.has(name)) return value.bind(target)
      return (to: unknown, ...rest: unknown[]) => value.call(target, inSandbox(to, url), ...rest)
    },
  })
}

function inSandbox(to: unknown, url: string): unknown {
  return typeof to === 'string' && /^\/(?!\/)/.test(to) ? `${url}${to}` : to
}
