// The floor: node:http that drains the body and answers the same bytes.
import { createServer } from 'node:http'
import { report } from './report.mjs'

const { routes } = JSON.parse(process.env.BENCH)
const answers = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
const server = createServer((request, response) => {
  const answer = answers.get(`${request.method} ${request.url.split('?')[0]}`)
  request.resume().on('end', () => {
    response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) })
    response.end(answer.body)
  })
})
server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${server.address().port}`))
