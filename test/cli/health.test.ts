import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { until } from '../binary.js'
import { run } from '../command-line.js'
import { build } from '../helper.js'

/** The port of something that listens. */
async function portOf(t: Test, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

/** What is said once a server is ready: on a busy machine the first question may come too early. */
function ready(t: Test, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
  return until(async () => {
    const { code, out } = await run(t, ['health', ...args], { env })
    return code === 0 ? out : undefined
  })
}

t.test('a server that is ready, and a sandbox of it', async (t) => {
  const server = await build(t)
  const url = await server.listen()
  const { port } = new URL(url)
  for (const asked of [url, `${url}/`, `${url}/~worker-3`, `${url}/__admin/health`])
    t.match(await ready(t, [asked]), /is ready\.$/m, asked)
  t.match(await ready(t, ['--port', port]), `http://127.0.0.1:${port} is ready.`)
  await ready(t, [], { COUNTERSIGN_PORT: port })
  await ready(t, [], { COUNTERSIGN_PORT: port, COUNTERSIGN_HOST: '0.0.0.0' })
})

t.test('one that is closed to strangers is ready, too', async (t) => {
  const server = await build(t, { host: '0.0.0.0' })
  const { port } = new URL(await server.listen())
  t.match(await ready(t, [`http://127.0.0.1:${port}`]), 'is ready')
})

t.test('nothing, silence, and something else', async (t) => {
  const answering = (listener: RequestListener) => portOf(t, createServer(listener))
  const mumbling = createSocketServer((socket) => void socket.end('x\n'))
  const silent = createSocketServer((socket) => void t.teardown(() => socket.destroy()))
  for (const [port, why] of [
    [1, 'it cannot be reached (ECONNREFUSED)'],
    [await portOf(t, silent), 'it does not answer'],
    [await answering((_, response) => void response.end('hello')), 'something else answers there'],
    [await answering((_, response) => void response.end('{"status":"ok"}')), 'something else answers there'],
    [await answering((_, response) => void response.writeHead(302, { location: '/' }).end()), 'something else'],
    [await portOf(t, mumbling), 'it cannot be reached'],
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
