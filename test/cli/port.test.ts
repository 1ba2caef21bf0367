import { createServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { InvalidOption, PortInUse, startMockServer } from '../../src/index.js'
import { listenAt, nextFreePort } from '../../src/server/listen.js'
import { run } from '../command-line.js'

/** A program that listens on a port, the one after which is free a moment later. */
async function taken(t: Test): Promise<number> {
  const { port } = (await listening(t, 0)).address() as { port: number }
  return port
}

function listening(t: Test, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    t.teardown(() => server.close())
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

t.test('a port in use is told with the next one that is free, on the command line and in process', async (t) => {
  const port = await taken(t)
  const words = `Port ${port} on 127.0.0.1 is already in use; (\\d+) is free: use --port \\1, or --port 0 for any free one\\.`
  const ended = await run(t, ['--port', `${port}`])
  t.match(ended, { code: 1, out: /^$/, err: new RegExp(`^countersign: ${words}\n$`) }, 'the start fails')
  const error = await startMockServer({ port }).catch((reason) => reason)
  t.ok(error instanceof PortInUse && error instanceof InvalidOption, 'its class says so')
  const said = { name: 'PortInUse', code: 'EADDRINUSE', port, host: '127.0.0.1', message: new RegExp(`^${words}$`) }
  t.match(error, said)
  const { free, message } = error
  t.match(message, `; ${free} is free`)
  t.ok(free > port && free <= port + 100, 'it is one of the next hundred')
  await using mock = await startMockServer({ port: free })
  t.equal(mock.url, `http://127.0.0.1:${free}`, 'the port that it names can be had')
})

t.test('where no other port is near, only --port 0 is named', async (t) => {
  t.equal(await nextFreePort('127.0.0.1', 65_535), undefined, 'there is none after the last one')
  t.equal(await nextFreePort('192.0.2.1', 40_000), undefined, 'there is none at an address of others')
  t.match(new PortInUse(65_535, '127.0.0.1', undefined), {
    free: undefined,
    message: 'Port 65535 on 127.0.0.1 is already in use: use --port 0 for any free one.',
  })
})

t.test('ports that are in use as well are passed over', async (t) => {
  const port = await taken(t)
  await listening(t, port + 1).catch(() => {})
  const free = await nextFreePort('127.0.0.1', port)
  t.ok(free !== undefined && free > port + 1)
})

t.test('a host that is none of this machine is told alike in process and on the command line', async (t) => {
  for (const host of ['192.0.2.1', 'no-such-host.invalid', 'a b']) {
    const message = `The host '${host}' is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`
    await t.rejects(startMockServer({ host, port: 0 }), { name: 'InvalidOption', message })
    t.match(await run(t, ['--host', host, '--port', '0']), { code: 1, err: `countersign: ${message}\n` })
  }
})

t.test('a port that only the system may use is told', async (t) => {
  const app = { listen: () => Promise.reject(Object.assign(new Error('listen EACCES'), { code: 'EACCES' })) }
  await t.rejects(listenAt(app, '127.0.0.1', 80), {
    name: 'InvalidOption',
    message: 'Listening on port 80 is not permitted. Use a port above 1023, or --port 0 for any free one.',
  })
})
