import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../text/html.js'
import { sendPage } from '../page-layout.js'
import type { Problem } from '../problems.js'

/** Shows the refusal as a page, or the token form if the token is missing. */
export function showRefusal(
  reply: FastifyReply,
  refusal: Problem,
  { routeOptions: { url = '' } }: FastifyRequest,
): void {
  if (refusal.code === 'unauthorized') return askForToken(reply, url.endsWith('/docs') ? 'docs' : './')
  sendPage(
    reply,
    refusal.status,
    'Not allowed from here',
    html`<h1>Not allowed from here</h1>\n<p>${refusal.message}</p>`,
  )
}

export const DESTINATIONS = ['./', 'docs'] as const
export type Destination = (typeof DESTINATIONS)[number]

export function askForToken(reply: FastifyReply, to: Destination, mistake?: string): void {
  const body = html`<h1>Admin token</h1>
<p>This server was started with <code>--admin-token</code>. Enter that token once; this browser then remembers it in a cookie.</p>
<form method="post" action="session" class="token">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${mistake === undefined ? '' : html` aria-describedby="mistake" aria-invalid="true"`}>
<input type="hidden" name="to" value="${to}">
${mistake === undefined ? '' : html`<p class="over" id="mistake" role="alert">${mistake}</p>`}
<div class="actions"><button class="go">Open</button></div>
</form>`
  sendPage(reply, 401, 'Admin token', body)
}
