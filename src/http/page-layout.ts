import type { FastifyReply } from 'fastify'
import { asset } from '../package-root.js'
import { Html, html } from '../text/html.js'

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Read on first use. */
let style: string | undefined

export function sendPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  style ??= asset('pages.css')
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .send(page(title, style, body).text)
}

function page(title: string, style: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
${body}
<footer>This is a test page of countersign. Nothing here is real.</footer>
</main>
</body>
</html>
`
}

/** For the dashboard and the API docs. RapiDoc needs inline styles. */
export function externalPolicy({ inlineStyles = false } = {}): string {
  return [
    "default-src 'none'",
    `style-src 'self'${inlineStyles ? " 'unsafe-inline'" : ''}`,
    "script-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
