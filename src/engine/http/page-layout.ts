import type { FastifyReply } from 'fastify'
import { asset } from '../../package-root.js'
import { Html, html } from '../html.js'

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

let style: Html | undefined

export function sendPage(reply: FastifyReply, status: number, title: string, content: Html): FastifyReply {
  style ??= new Html(asset('pages.css'))
  const body = html`<main>
${content}
<footer>This is a test page of countersign. Nothing here is real.</footer>
</main>`
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .send(htmlDocument(title, html`<style>${style}</style>`, body))
}

export function htmlDocument(title: string, head: Html, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`.text
}
