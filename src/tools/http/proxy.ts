import { quote, withoutCredentials } from '../../engine/contract/wording.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import { isLoopback } from '../../engine/http/loopback.js'

/** A proxy without a scheme gets `http://`, as in curl. @throws {InvalidOption} for an unusable proxy */
export function proxyFor(url: string) {
  const { protocol, hostname } = new URL(url)
  if (isLoopback(hostname)) return undefined
  const { env } = process
  // An empty lower-case variable disables the upper-case one.
  const firstSet = (...names: readonly string[]) => names.find((name) => env[name] !== undefined) ?? ''
  const httpsVariable = protocol === 'https:' ? firstSet('https_proxy', 'HTTPS_PROXY') : ''
  const variable = env[httpsVariable] ? httpsVariable : firstSet('http_proxy', 'HTTP_PROXY')
  const text = (env[variable] ?? '').trim()
  if (text === '') return undefined
  const proxyUrl = text.includes('://') ? text : `http://${text}`
  if (/^(?:https?|socks5?):/i.test(proxyUrl) && URL.canParse(proxyUrl)) return { variable, url: new URL(proxyUrl) }
  throw new InvalidOption(
    `${variable} is set to ${quote(withoutCredentials(text))}. It must be the URL of a proxy, such as 'http://proxy.test:3128'.`,
  )
}
