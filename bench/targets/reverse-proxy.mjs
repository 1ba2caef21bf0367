// A plain reverse proxy: what forwarding costs where nothing is looked at.
import { Agent, createServer, request as send } from 'node:http'
import { report } from './report.mjs'

const { hostname, port } = new URL(JSON.parse(process.env.BENCH).provider)
const agent = new Agent({ keepAlive: true })
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade', 'proxy-connection'])

function endToEnd(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))
}

const server = createServer((request, response) => {
  const { method, url: path } = request
  const headers = { ...endToEnd(request.headers), host: `${hostname}:${port}` }
  const onward = send({ agent, hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, endToEnd(answer.headers))
    answer.pipe(response)
  })
  onward.on('error', () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  })
  response.on('close', () => {
    if (!response.writableFinished) onward.destroy()
  })
  request.pipe(onward)
})
server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${server.address().port}`))
