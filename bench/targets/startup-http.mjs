import { createServer } from 'node:http'

const server = createServer((_, response) => response.end('{"status":"ok"}'))
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
