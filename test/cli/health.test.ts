import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
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
  const [said, env] = [`http://127.0.0.1:${port} is ready.\n`, { COUNTERSIGN_PORT: port }]
  t.equal(await ready(t, ['--port', port]), said, 'by its port')
  t.equal(await ready(t, [], env), said)
  t.equal(await ready(t, [], { ...env, COUNTERSIGN_HOST: '0.0.0.0' }), said)
  const closed = await build(t, { host: '0.0.0.0' })
  const address = `http://127.0.0.1:${new URL(await closed.listen()).port}`
  t.match(await ready(t, [address]), 'is ready', 'one that is closed to strangers')
})

t.test('nothing, silence, and something else', async (t) => {
  const answering = (listener: RequestListener) => portOf(t, createServer(listener))
  const raw = (listener: (socket: Socket) => void) => portOf(t, createSocketServer(listener))
  for (const [port, why] of [
    [1, 'it cannot be reached (ECONNREFUSED)'],
    [await raw((socket) => t.teardown(() => socket.destroy())), 'it does not answer'],
    [await answering((_, response) => void response.end('hello')), 'something else answers there'],
    [await answering((_, response) => void response.end('{"status":"ok"}')), 'something else answers there'],
    [await answering((_, response) => void response.writeHead(302, { location: '/' }).end()), 'something else'],
    [await raw((socket) => socket.end('x\n')), 'it cannot be reached'],
  ] as const) {
    const began = performance.now()
    const ended = await run(t, ['health', `http://127.0.0.1:${port}`])
    t.match(ended, { code: 1, err: `http://127.0.0.1:${port} is not ready: ${why}` })
    t.ok(performance.now() - began < 5_000, `${why}: it is told soon`)
  }
})
