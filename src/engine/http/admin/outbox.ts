import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { oneOf } from '../../contract/fields.js'
import { quote } from '../../contract/wording.js'
import { LONGEST_WAIT, type Message } from '../../sandbox/mail/outbox.js'
import { sourceOf } from '../../sandbox/mail/smtp.js'
import { Problem } from '../problems.js'
import { partial, type Resource } from './routes.js'

const Query = partial({
  to: Type.String(),
  format: oneOf(['json', 'summary']),
  wait: Type.Integer({ minimum: 0, maximum: LONGEST_WAIT }),
})

export const outbox: Resource = (routes) => {
  routes.get('/outbox', { schema: { querystring: Query } }, async (request) => {
    const { wait = 0, format } = request.query
    // In a query, a plus that is not encoded is a blank, which no address has.
    const to = request.query.to?.replaceAll(' ', '+')
    const { outbox } = request.sandbox
    if (format === 'summary')
      return {
        messages: outbox.messages(to).map(({ id, created_at, to, delivery }) => ({ id, created_at, to, delivery })),
      }
    const gone = new AbortController()
    request.raw.once('close', () => gone.abort())
    return { messages: await outbox.wait(to, wait, gone.signal) }
  })
  routes.get('/outbox/:id', find)
  routes.get('/outbox/:id/html', (request, reply) =>
    reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': MAIL_POLICY })
      .send(find(request).html.replace('<head>', '<head><base target="_blank">')),
  )
  routes.get('/outbox/:id/source', (request) => sourceOf(find(request)))
  routes.delete('/outbox/:id', (request) => {
    request.sandbox.outbox.remove(find(request).id)
    return { status: 'ok' }
  })
  routes.delete('/outbox', (request) => {
    request.sandbox.outbox.clear()
    return { status: 'ok' }
  })
}

function find({ sandbox, params }: Pick<FastifyRequest, 'sandbox' | 'params'>): Message {
  const { id } = params as { id: string }
  const message = sandbox.outbox.messages().find((one) => one.id === id)
  if (message !== undefined) return message
  throw new Problem('not-found', `The outbox has no message ${quote(id)}. GET /__admin/outbox lists them.`)
}

/** Mails may use inline styles only; their links open in a new tab. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'"
