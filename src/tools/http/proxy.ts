import { quote, withoutCredentials } from '../../engine/contract/wording.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import { isLoopback } from '../../engine/http/loopback.js'

/** Without a scheme it is `http://`, as in curl. @throws {InvalidOption} for an unusable proxy */
export function proxyFor(url: string) {
  const { protocol, hostname } = new URL(url)
  if (isLoopback(hostname)) return undefined
  const { env } = process
  const firstOf = (...names: readonly string[]) => names.find((name) => env[name] !== undefined) ?? ''
  const own = protocol === 'https:' ? firstOf('https_proxy', 'HTTPS_PROXY') : ''
  // An empty lower-case variable disables the other.
  const variable = env[own] ? own : firstOf('http_proxy', 'HTTP_PROXY')
  const text = (env[variable] ?? '').trim()
  if (text === '') return undefined
  const given = text.includes('://') ? text : `http://${text}`
  if (/^(?:https?|socks5?):/i.test(given) && URL.canParse(given)) return { variable, url: new URL(given) }
  const shown = quote(withoutCredentials(text))
  throw new InvalidOption(
    `${variable} is set to ${shown}. It must be the URL of a proxy, such as 'http://proxy.test:3128'.`,
  )
}
