import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Call } from './call.js'
import { failed } from './failed.js'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MOST = 20

/**
 * The call that an answer leads to; undefined where it is the last one.
 * @throws {TypeError} where the request follows no redirects, there are too many, or one leads away from the mock
 */
export function redirected(call: Call, { statusCode = 0, headers }: IncomingMessage, hops: number): Call | undefined {
  const { location } = headers
  if (!REDIRECTS.has(statusCode) || location === undefined || call.request.redirect === 'manual') return undefined
  if (call.request.redirect === 'error') throw failed(new Error('unexpected redirect'))
  if (hops >= MOST) throw failed(new Error('redirect count exceeded'))
  const { href: url, origin } = new URL(location, call.url)
  if (origin !== new URL(call.url).origin)
    throw failed(
      new Error(`The answer leads away from the mock, to ${origin}: fetch with redirect: 'manual' to see it.`),
    )
  const asGet = statusCode === 303 ? call.method !== 'HEAD' : statusCode < 303 && call.method === 'POST'
  if (asGet) return { ...call, url, method: 'GET', body: null }
  if (call.body instanceof Readable) throw failed(new Error('a stream cannot be sent twice'))
  return { ...call, url }
}
