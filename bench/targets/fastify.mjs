// The reference: a bare Fastify app that answers the same bytes through the same @fastify/multipart. It keeps the files
// that it receives, and computes their digests.
import { createHash } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { replies, report } from './report.mjs'

const kept = []
const app = Fastify()
app.register(multipart, { attachFieldsToBody: 'keyValues', limits: { fileSize: 50e6, fieldSize: 50e6 } })
app.register(async (scope) => {
  const routes = new Map(replies.map((one) => [`${one.method} ${one.path}`, one]))
  for (const one of routes.values()) {
    scope.route({ method: one.method, url: one.path, handler: (request, reply) => answer(request, reply, one) })
  }
})
report(await app.listen({ port: 0, host: '127.0.0.1' }))

function answer(request, reply, { status, headers, body }) {
  const file = request.body?.file
  if (file !== undefined) {
    kept.push(file)
    createHash('sha256').update(file).digest('hex')
    if (kept.length > 100) kept.shift()
  }
  return reply.code(status).headers(headers).send(body)
}
