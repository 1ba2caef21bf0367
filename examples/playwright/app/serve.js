import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const page = await readFile(new URL('index.html', import.meta.url))
createServer((_, response) => response.setHeader('content-type', 'text/html').end(page)).listen(4173, '127.0.0.1')
