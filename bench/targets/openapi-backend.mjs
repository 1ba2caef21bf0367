// openapi-backend as a mock server that checks requests, on Fastify, as in its documentation.
import { fileURLToPath } from 'node:url'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { load, report } from './report.mjs'

const { OpenAPIBackend } = load('openapi-backend')
const definition = fileURLToPath(new URL('../../openapi.json', import.meta.url))

const backend = new OpenAPIBackend({ definition, quick: true })
backend.register({
  notImplemented: ({ api, operation }) => api.mockResponseForOperation(operation.operationId),
  notFound: () => ({ status: 404, mock: {} }),
  validationFail: ({ validation }) => ({ status: 400, mock: validation.errors }),
})
await backend.init()

/** Keeps request bodies, as other targets do. */
const kept = []
const app = Fastify()
app.register(multipart, { attachFieldsToBody: 'keyValues', limits: { fileSize: 50e6, fieldSize: 50e6 } })
app.register(async (scope) => {
  scope.all('/*', async ({ method, url, headers, query, body }, reply) => {
    kept.push(body)
    if (kept.length > 1_000) kept.shift()
    const path = url.split('?', 1)[0]
    const { status, mock } = await backend.handleRequest({ method, path, query, headers, body: asTexts(body) })
    return reply.code(status).send(mock)
  })
})
report(await app.listen({ port: 0, host: '127.0.0.1' }))

/** openapi-backend validates a file as a string. */
function asTexts(body = {}) {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : 'FILE']),
  )
}
