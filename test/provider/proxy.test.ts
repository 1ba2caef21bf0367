import { createServer } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { run } from '../binary.js'
import { countersign, listen } from '../forward/provider.js'
import { HISTORIES } from '../helper.js'

t.test('a provider is reached through the proxy that the environment names', async (t) => {
  const mock = await countersign(t)
  const asked: (string | undefined)[] = []
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(url)
    const through = connect(Number(new URL(mock.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      through.pipe(socket).pipe(through)
    })
    for (const one of [socket, through]) one.on('error', () => {})
  })
  const env = { HTTP_PROXY: `http://127.0.0.1:${await listen(t, proxy)}` }
  const url = 'http://service.invalid'
  t.match(await run(t, ['verify', '--target', url, '--token', 'token-admin'], { env }), { code: 0 }, 'by verify')
  const script = `fetch(process.env.COUNTERSIGN_URL + '${HISTORIES}').then(({ status }) => console.log(status))`
  const words = ['exec', '--provider', url, '--', process.execPath, '-e', script]
  t.match(await run(t, words, { env }), { out: '401\n' }, 'and by --provider')
  t.strictSame(new Set(asked), new Set(['service.invalid:80']), 'for each call')
  const direct = await run(t, ['verify', '--target', mock.url, '--token', 'token-admin'], {
    env: { HTTP_PROXY: 'http://127.0.0.1:9' },
  })
  t.equal(direct.code, 0, 'but none on this machine')
})
