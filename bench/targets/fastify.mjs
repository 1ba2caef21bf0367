// The reference: a bare Fastify app that answers the same bytes through the same @fastify/multipart.
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { report } from './report.mjs'

const app = Fastify()
app.register(multipart, { attachFieldsToBody: 'keyValues', limits: { fileSize: 50e6, fieldSize: 50e6 } })
app.register(async (scope) => {
  const routes = new Map(JSON.parse(process.env.REPLIES ?? '[]').map((one) => [`${one.method} ${one.path}`, one]))
  for (const { method, path, status, headers, body } of routes.values()) {
    scope.route({ method, url: path, handler: (_, reply) => reply.code(status).headers(headers).send(body) })
  }
})
report(await app.listen({ port: 0, host: '127.0.0.1' }))
