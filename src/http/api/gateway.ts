import { STATUS_CODES } from 'node:http'
import type { Outgoing } from './outgoing.js'

/** Seconds after which a client may ask again, with the statuses that say so (RFC 9110, RFC 6585). */
const RETRY_AFTER: Readonly<Record<number, string>> = { 429: '1', 503: '1' }

/** What a gateway answers in the place of the service: a small page, as proxies send it. */
export function gatewayAnswer(status: number): Outgoing {
  const title = `${status} ${STATUS_CODES[status]}`
  const retryAfter = RETRY_AFTER[status]
  return {
    status,
    body: `<html>
<head><title>${title}</title></head>
<body>
<center><h1>${title}</h1></center>
<hr><center>gateway</center>
</body>
</html>
`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
  }
}
