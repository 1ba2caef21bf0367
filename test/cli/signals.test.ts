import { connect } from 'node:net'
import t from 'tap'
import { serve as serveBinary } from '../binary.js'

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  t.test(`${signal} ends it at once, whatever hangs`, async (t) => {
    const { url, child, ended } = await serveBinary(t)
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
    const started = performance.now()
    child.kill(signal)
    t.match(await ended, { code: 0, signal: null, err: '' }, 'it ends well')
    t.ok(performance.now() - started < 20_000, 'it ends without waiting a minute')
  })
}
