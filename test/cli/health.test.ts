import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { run } from '../command-line.js'
import { build } from '../helper.js'

/** The port of something that listens. */
async function portOf(t: Test, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

t.test('a server that is ready, and a sandbox of it', async (t) => {
  const server = await build(t)
  const url = await server.listen()
  const { port } = new URL(url)
  for (const asked of [url, `${url}/`, `${url}/~worker-3`, `${url}/__admin/health`])
    t.match(await run(t, ['health', asked]), { code: 0, out: /is ready\.$/m }, asked)
  t.match(await run(t, ['health', '--port', port]), { code: 0, out: `http://127.0.0.1:${port} is ready.` })
  t.match(await run(t, ['health'], { env: { COUNTERSIGN_PORT: port } }), { code: 0 })
  t.match(await run(t, ['health'], { env: { COUNTERSIGN_PORT: port, COUNTERSIGN_HOST: '0.0.0.0' } }), { code: 0 })
})

t.test('one that is closed to strangers is ready, too', async (t) => {
  const server = await build(t, { host: '0.0.0.0' })
  const { port } = new URL(await server.listen())
  t.match(await run(t, ['health', `http://127.0.0.1:${port}`]), { code: 0 })
})

t.test('nothing, silence, and something else', async (t) => {
  const answering = (listener: RequestListener) => portOf(t, createServer(listener))
  const silent = createSocketServer((socket) => void t.teardown(() => socket.destroy()))
  for (const [port, why] of [
    [1, 'it cannot be reached (ECONNREFUSED)'],
    [await portOf(t, silent), 'it does not answer'],
    [await answering((_, response) => void response.end('hello')), 'something else answers there'],
    [await answering((_, response) => void response.end('{"status":"ok"}')), 'something else answers there'],
    [await answering((_, response) => void response.writeHead(302, { location: '/' }).end()), 'something else'],
    [
      await portOf(
        t,
        createSocketServer((socket) => void socket.end('x\n')),
      ),
      'it cannot be reached',
    ],
  ] as const) {
    const began = performance.now()
    const { code, err } = await run(t, ['health', `http://127.0.0.1:${port}`])
    t.equal(code, 1, why)
    t.match(err, `http://127.0.0.1:${port} is not ready: ${why}`)
    t.ok(performance.now() - began < 5_000, `${why}: it is told soon`)
  }
})

t.test('an address that is none is refused', async (t) => {
  for (const url of ['localhost', 'ftp://x.test', '4010'])
    t.match(await run(t, ['health', url]), { code: 1, err: `The URL must be one of a server or a sandbox` }, url)
  t.match(await run(t, ['health', 'http://x.test', 'y']), { code: 1, err: "'y' is not expected here" })
})
