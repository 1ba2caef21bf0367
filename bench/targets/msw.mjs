// MSW as a server of its own: node msw.mjs FOLDER PORT ROUTES
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [folder, port, file] = process.argv.slice(2)
const require = createRequire(pathToFileURL(`${folder}/`))
const { createServer } = require('@mswjs/http-middleware')
const { http, HttpResponse } = require('msw')

const handlers = JSON.parse(readFileSync(file, 'utf8')).map(({ method, path, status, headers, body }) =>
  http[method.toLowerCase()](path, async ({ request }) => {
    if (/^multipart/.test(request.headers.get('content-type') ?? '')) await request.formData()
    return new HttpResponse(body, { status, headers })
  }),
)
createServer(...handlers).listen(Number(port), '127.0.0.1')
