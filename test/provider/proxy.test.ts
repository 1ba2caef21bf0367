import { createServer } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { run } from '../binary.js'
import { countersign, listen } from '../forward/provider.js'
import { HISTORIES } from '../paths.js'

t.test('a provider is called through the proxy of the environment', async (t) => {
  const mock = await countersign(t)
  const targets: (string | undefined)[] = []
  const proxy = createServer().on('connect', ({ url }, socket) => {
    targets.push(url)
    const through = connect(Number(new URL(mock.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      through.pipe(socket).pipe(through)
    })
    for (const one of [socket, through]) one.on('error', () => {})
  })
  const env = { HTTP_PROXY: `http://127.0.0.1:${await listen(t, proxy)}` }
  const url = 'http://service.invalid'
  t.match(await run(t, ['verify', '--target', url, '--token', 'token-admin'], { env }), { code: 0 }, 'with verify')
  const script = `fetch(process.env.COUNTERSIGN_URL + '${HISTORIES}').then(({ status }) => console.log(status))`
  const words = ['exec', '--provider', url, '--', process.execPath, '-e', script]
  t.match(await run(t, words, { env }), { out: '401\n' }, 'with --provider')
  t.strictSame(new Set(targets), new Set(['service.invalid:80']), 'each call uses the proxy')
  const direct = await run(t, ['verify', '--target', mock.url, '--token', 'token-admin'], {
    env: { HTTP_PROXY: 'http://127.0.0.1:9' },
  })
  t.equal(direct.code, 0, 'a provider on this machine is called directly')
})

t.test('if a proxy fails, the message blames the proxy, not the provider', async (t) => {
  const refusing = createServer().on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
  const port = await listen(t, refusing)
  const verify = ['verify', '--target', 'http://service.invalid', '--token', 'x', '--only', 'uploadSignature']
  const script = `fetch(process.env.COUNTERSIGN_URL + '${HISTORIES}').then(async (it) => console.log(await it.text()))`
  const exec = ['exec', '--provider', 'https://service.invalid', '--', process.execPath, '-e', script]
  const unusable =
    "is set to 'ftp://[redacted]@proxy.invalid'. It must be the URL of a proxy, such as 'http://proxy.test:3128'."
  for (const [proxy, message, isUsable = true] of [
    [`127.0.0.1:${port}`, `'127.0.0.1:${port}', set in NAME, does not connect to 'http`],
    ['http://me:secret@127.0.0.1:9', "'127.0.0.1:9', set in NAME, cannot be reached (connect"],
    ['proxy.invalid', "'proxy.invalid', set in NAME, cannot be reached (getaddrinfo"],
    ['ftp://me:secret@proxy.invalid', `NAME ${unusable}`, false],
  ] as const)
    for (const [name, words, codes] of [
      ['HTTP_PROXY', verify, { usable: 3, unusable: 2 }],
      ['HTTPS_PROXY', exec, { usable: 0, unusable: 1 }],
    ] as const) {
      const { out, err, code } = await run(t, words, { env: { [name]: proxy } })
      t.equal(code, codes[isUsable ? 'usable' : 'unusable'], `${words[0]} with ${proxy}`)
      t.ok(`${out}${err}`.includes(message.replace('NAME', name)), `${out}${err}`)
      t.equal(`${out}${err}`.includes("or add 'service.invalid' to NO_PROXY."), isUsable, 'the remedy')
      t.notMatch(`${out}${err}`, 'secret')
    }
})
