import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { InvalidOption, PortInUse, startMockServer } from '../../src/index.js'
import { CLI, folder, launch, run as runBinary, serve as serveBinary, until } from '../binary.js'
import { run } from '../command-line.js'
import { listen } from '../forward/provider.js'
import { build } from '../helper.js'

t.test('a port in use is an error that suggests the next free port', async (t) => {
  const port = await listen(t, createServer())
  const words = `Port ${port} on 127.0.0.1 is already in use; (\\d+) is free: use --port \\1, or --port 0 for any free one\\.`
  const ended = await run(t, ['--port', `${port}`])
  t.match(ended, { code: 1, out: /^$/, err: new RegExp(`^countersign: ${words}\n$`) }, 'the start fails')
  const error = await startMockServer({ port }).catch((reason) => reason)
  t.ok(error instanceof PortInUse && error instanceof InvalidOption, 'it is a PortInUse')
  const { free } = error
  t.match(error, { name: 'PortInUse', code: 'EADDRINUSE', port, host: '127.0.0.1', message: `; ${free} is free` })
  t.ok(free > port && free <= port + 100, 'the free port is one of the next hundred')
  await using mock = await startMockServer({ port: free })
  t.equal(mock.url, `http://127.0.0.1:${free}`, 'the suggested port can be used')
})

t.test('a truncated compile cache breaks no command', async (t) => {
  const cache = join(dirname(CLI), '.compiled')
  const { out } = await runBinary(t, ['--version'])
  for (const file of readdirSync(cache)) truncateSync(join(cache, file), 1_000)
  t.match(await runBinary(t, ['--version']), { code: 0, out, err: '' })
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  t.test(`${signal} stops the server at once while calls hang and a state is locked`, async (t) => {
    const { url, child, ended } = await serveBinary(t, ['--persist', join(folder(t), 'state.json')])
    const { port } = new URL(url)
    const send = (text: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(text, () => resolve()))
        socket.on('error', () => {})
      })
    await send('GET /api/v2/credits/histories HTTP/1.1\r\nHost: x\r\n')
    await send('POST /client/signature HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nslow')
    await send('GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await send('GET /__admin/outbox?wait=60000 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await send('GET /api/v2/credits/histories?__fault=TIMEOUT HTTP/1.1\r\nHost: x\r\n\r\n')
    await send('GET /api/v2/credits/histories?__code=200&__delay=60000 HTTP/1.1\r\nHost: x\r\n\r\n')
    await fetch(`${url}/__admin/health`)
    child.kill(signal)
    t.match(await ended, { code: 0, signal: null, err: '' }, 'it succeeds')
  })
}

t.test('an old version of Node is an error that shows the required version', async (t) => {
  t.equal(JSON.parse(readFileSync('package.json', 'utf8')).engines.node, '>=20.19')
  for (const [version, starts] of [
    ['20.18.3', false],
    ['20.19.0', true],
    ['22.0.0', true],
  ] as const) {
    const asIf = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    const args = ['--require', './as-if.cjs', CLI, '--version']
    const ended = await launch(t, process.execPath, args, { cwd: folder(t, { 'as-if.cjs': asIf }) }).ended
    const needed = `countersign needs Node 20.19 or newer; this is ${version}.\n`
    if (starts) t.match(ended, { code: 0, out: /^\d+\.\d+\.\d+/ }, version)
    else t.same(ended, { code: 1, signal: null, out: '', err: needed }, version)
  }
})

/** Repeats the command: on a busy machine, the first call may come too early. */
function ready(t: Test, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
  return until(async () => {
    const { code, out } = await run(t, ['health', ...args], { env })
    return code === 0 ? out : undefined
  })
}

t.test('health succeeds for a server and a sandbox', async (t) => {
  const server = await build(t)
  const url = await server.listen()
  const { port } = new URL(url)
  for (const target of [url, `${url}/`, `${url}/~worker-3`, `${url}/__admin`])
    t.match(await ready(t, [target]), /is ready\.$/m, target)
  const [message, env] = [`http://127.0.0.1:${port} is ready.\n`, { COUNTERSIGN_PORT: port }]
  t.equal(await ready(t, ['--port', port]), message, '--port')
  t.equal(await ready(t, [], { ...env, COUNTERSIGN_HOST: '0.0.0.0' }), message)
  const closed = await build(t, { host: '0.0.0.0' })
  const address = `http://127.0.0.1:${new URL(await closed.listen()).port}`
  t.match(await ready(t, [address]), 'is ready', 'a server with a closed admin API')
})

t.test('health fails without an answer, and for another server', async (t) => {
  const answering = (listener: RequestListener) => listen(t, createHttpServer(listener))
  const raw = (listener: (socket: Socket) => void) => listen(t, createServer(listener))
  for (const [port, why] of [
    [1, 'it cannot be reached (ECONNREFUSED)'],
    [await raw(() => {}), 'it does not answer'],
    [await answering((_, response) => void response.end('hello')), 'another server answers at this URL'],
    [await answering((_, response) => void response.writeHead(302, { location: '/' }).end()), 'another server'],
    [await raw((socket) => socket.end('x\n')), 'it cannot be reached'],
  ] as const) {
    const ended = await run(t, ['health', `http://127.0.0.1:${port}`])
    t.match(ended, { code: 1, err: `http://127.0.0.1:${port} is not ready: ${why}` })
  }
})

t.test('a command whose output cannot be written exits with 1', { skip: !existsSync('/dev/full') }, async (t) => {
  const ended = await launch(t, 'sh', ['-c', `${process.execPath} ${CLI} openapi > /dev/full`]).ended
  t.match(ended, { code: 1, err: /^countersign: Standard output cannot be written: ENOSPC/ })
})
