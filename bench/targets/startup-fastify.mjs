import multipart from '@fastify/multipart'
import Fastify from 'fastify'

const app = Fastify()
app.register(multipart)
app.get('/client/signature', () => ({ status: 'ok' }))
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
