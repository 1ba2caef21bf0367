// MSW behind @mswjs/http-middleware: it parses forms, keeps the last thousand, and answers the same bytes.
import { load, replies, report } from './report.mjs'

const { http, HttpResponse } = load('msw')
const { createServer } = load('@mswjs/http-middleware')

const kept = []
const handlers = replies.map(({ method, path, status, headers, body }) =>
  http[method.toLowerCase()](path, async ({ request }) => {
    const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data')
    kept.push(isForm ? await request.formData() : null)
    if (kept.length > 1_000) kept.shift()
    return new HttpResponse(body, { status, headers })
  }),
)
const server = createServer(...handlers).listen(0, '127.0.0.1', () => {
  report(`http://127.0.0.1:${server.address().port}`)
})
