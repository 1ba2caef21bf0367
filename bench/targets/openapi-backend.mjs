// openapi-backend as a mock server, on node:http, as its documentation has it: node openapi-backend.mjs FOLDER PORT DOCUMENT
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [folder, port, definition] = process.argv.slice(2)
const { OpenAPIBackend } = createRequire(pathToFileURL(`${folder}/`))('openapi-backend')

const api = new OpenAPIBackend({ definition, quick: true, validate: false })
api.register('notImplemented', ({ api: backend, operation }) => backend.mockResponseForOperation(operation.operationId))
api.register('notFound', () => ({ status: 404, mock: {} }))
await api.init()

createServer(async (request, response) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const { method, url, headers } = request
  const [path, query] = url.split('?')
  const { status, mock } = await api.handleRequest({ method, path, query, headers, body: Buffer.concat(pieces) })
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(mock))
}).listen(Number(port), '127.0.0.1')
