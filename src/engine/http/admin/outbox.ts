import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { AdminRoutes } from '../../api.js'
import { oneOf, partial } from '../../contract/fields.js'
import { quote } from '../../contract/wording.js'
import { LONGEST_WAIT, type Message } from '../../sandbox/mail/outbox.js'
import { mailSourceOf } from '../../sandbox/mail/smtp.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'

const Query = partial({
  to: Type.String(),
  format: oneOf(['json', 'summary']),
  wait: Type.Integer({ minimum: 0, maximum: LONGEST_WAIT }),
})

const withoutContent = ({ id, created_at, to, delivery }: Message) => ({ id, created_at, to, delivery })

export const outbox: AdminRoutes = (routes, { sandboxOf }) => {
  const find = (request: FastifyRequest): Message => {
    const id = pathParam(request, 'id')
    const message = sandboxOf(request)
      .outbox.messages()
      .find((message) => message.id === id)
    if (message !== undefined) return message
    throw new Problem('not-found', `The outbox has no message ${quote(id)}. GET /__admin/outbox lists them.`)
  }
  routes.get('/outbox', { schema: { querystring: Query } }, async (request) => {
    const { wait = 0, format } = request.query
    // An unencoded plus arrives as a space.
    const to = request.query.to?.replaceAll(' ', '+')
    const { outbox } = sandboxOf(request)
    if (format === 'summary') return { messages: outbox.messages(to).map(withoutContent) }
    return { messages: await outbox.wait(to, wait, request.signal) }
  })
  routes.get('/outbox/:id', find)
  routes.get('/outbox/:id/html', (request, reply) =>
    reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': MAIL_POLICY })
      .send(find(request).html.replace('<head>', '<head><base target="_blank">')),
  )
  routes.get('/outbox/:id/source', (request) => mailSourceOf(find(request)))
  routes.delete('/outbox/:id', (request) => {
    sandboxOf(request).outbox.remove(find(request).id)
    return { status: 'ok' }
  })
  routes.delete('/outbox', (request) => {
    sandboxOf(request).outbox.clear()
    return { status: 'ok' }
  })
}

/** Inline styles only; links open in a new tab. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'"
