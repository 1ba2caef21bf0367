import type { IncomingHttpHeaders } from 'node:http'
import { sha256 } from '../../text/digest.js'

/** Whether a request shows the admin token: as a Bearer, or by the cookie that the page which asked for it has set. */
export function showsToken(headers: IncomingHttpHeaders, token: string): boolean {
  const bearer = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer === token
  return cookiesIn(headers).some(([name, value]) => name === cookieName(token) && value === cookieValue(token))
}

/** The cookie that stands for the token: whoever sees it cannot tell the token, and no script can see it. */
export function cookieOf(token: string, isSecure: boolean): string {
  return `${cookieName(token)}=${cookieValue(token)}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`
}

/** Has a browser forget the cookie. */
export function noCookie(token: string): string {
  return `${cookieName(token)}=; ${ATTRIBUTES}; Max-Age=0`
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict'

/** Cookies do not tell ports apart: servers with other tokens on this host have others. */
function cookieName(token: string): string {
  return `countersign-${sha256(`name ${token}`).slice(0, 8)}`
}

function cookieValue(token: string): string {
  return sha256(`value ${token}`)
}

function cookiesIn({ cookie = '' }: IncomingHttpHeaders): [name: string, value: string][] {
  return cookie.split(';').map((pair) => {
    const [name = '', value = ''] = pair.trim().split('=')
    return [name, value]
  })
}
