import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Html, html, trustedHtml } from '../../text/html.js'

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2937; --soft: #6b7280; --ground: #f3f4f6; --card: #fff; --line: #e5e7eb; --go: #1d4ed8; --go-ink: #fff; --good: #15803d; --bad: #b91c1c }
@media (prefers-color-scheme: dark) { :root { --ink: #f3f4f6; --soft: #9ca3af; --ground: #111827; --card: #1f2937; --line: #374151; --go: #3b82f6; --good: #4ade80; --bad: #f87171 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
main { width: 100%; max-width: 32rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; overflow-wrap: anywhere }
h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.3 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 1.25rem 0 }
dt { color: var(--soft) } dd { margin: 0 }
form { display: inline }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button { font: inherit; padding: .65rem 1.5rem; border-radius: .5rem; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer; min-height: 2.75rem }
button.go { background: var(--go); border-color: var(--go); color: var(--go-ink) }
button:focus-visible { outline: 3px solid var(--go); outline-offset: 2px }
.done { color: var(--good); font-weight: 600 } .over { color: var(--bad); font-weight: 600 }
img { display: block; max-width: 100%; max-height: 8rem; padding: .5rem; background: #fff; border: 1px solid var(--line); border-radius: .5rem }
footer { margin-top: 1.75rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .85rem }
@media (max-width: 26rem) { main { padding: 1.25rem } .actions button, .actions form { width: 100% } dl { grid-template-columns: 1fr } dd { margin-bottom: .5rem } }
`

/** Nothing but the page itself: its one style by digest, images from the page, forms to this server. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Answers with a page for people. */
export function sendPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .send(page(title, body).text)
}

function page(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${styles}
</head>
<body>
<main>
${body}
<footer>A test page of countersign: nothing here is real.</footer>
</main>
</body>
</html>
`
}

const styles = trustedHtml(`<style>${STYLE}</style>`)
