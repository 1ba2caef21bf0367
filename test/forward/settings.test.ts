import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { folder, serve as serveBinary } from '../binary.js'
import { run } from '../command-line.js'
import { freePort, histories, inFront, listen } from './provider.js'

t.test('an invalid provider URL, or an option that needs a provider, stops the start', async (t) => {
  const cases: [args: string[], env: Record<string, string>, message: RegExp, status?: 2][] = [
    [['--fallback'], {}, /^countersign: --fallback needs --provider\. Set it to the URL/],
    [['--provider-token', 's3cret-token'], {}, /^countersign: --provider-token needs --provider\./],
    [[], { COUNTERSIGN_PROVIDER_TOKEN: 's3cret-token' }, /^countersign: --provider-token needs --provider\./],
    [['--provider-token', 'Bearer s3cret-token'], {}, /--provider-token must be a token: .+, not the value given\./, 2],
  ]
  for (const [args, env, message, status = 1] of cases) {
    const { code, err } = await run(t, [...args, '--port', '0'], { env })
    t.match([code, err], [status, message], args.join(' '))
    t.notMatch(err, /s3cret-token|TypeError/, 'the token is not shown')
  }
  const config = 'provider: http://host.example.test\nproviderToken: "s3cret Y"\n'
  const { err } = await run(t, ['start', '--port', '0'], { cwd: folder(t, { 'countersign.config.yaml': config }) })
  t.match(err, /countersign\.config\.yaml:2:16: 'providerToken' must be/, 'the complaint has line and column')
  t.notMatch(err, 's3cret', 'it does not quote the line')
})

t.test('a server cannot be its own provider, by any of its addresses', async (t) => {
  const port = await freePort()
  for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', '[::1]']) {
    const ended = await run(t, ['--port', `${port}`, '--provider', `http://${host}:${port}`])
    t.match(ended, { code: 1, err: `--provider 'http://${host}:${port}' is this server itself. Set it to` }, host)
  }
})

const OPENSSL = '/usr/bin/openssl'
const skip = existsSync(OPENSSL) ? false : `there is no ${OPENSSL}`

/** A provider whose certificate comes from a private authority. */
async function secureProvider(t: Test) {
  const cwd = folder(t, { 'ext.cnf': 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' })
  const openssl = (line: string) => execFileSync(OPENSSL, line.split(' '), { cwd, stdio: 'pipe' })
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority')
  openssl('req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost')
  openssl('x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 -extfile ext.cnf')
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(cwd, name)))
  let connections = 0
  const server = createServer({ key, cert }, (request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ host: request.headers.host, connections })))
  })
  server.on('secureConnection', () => connections++)
  return { port: await listen(t, server), authority: join(cwd, 'ca.pem') }
}

const reported = async (url: string) => JSON.parse(await (await fetch(url + histories.url)).text())

t.test('a private certificate authority is trusted if NODE_EXTRA_CA_CERTS has its file', { skip }, async (t) => {
  const { port, authority } = await secureProvider(t)
  const env = { NODE_EXTRA_CA_CERTS: authority }
  for (const host of ['localhost', '127.0.0.1']) {
    const { url } = await serveBinary(t, ['--provider', `https://${host}:${port}/`], { env })
    const [first, second] = [await reported(url), await reported(url)]
    t.equal(first.host, `${host}:${port}`)
    t.equal(second.connections, first.connections, 'the connection is kept')
  }
})

t.test('an untrusted certificate is a problem; with --fallback, the mock answers', { skip }, async (t) => {
  const { port } = await secureProvider(t)
  const target = `https://localhost:${port}`
  const { url } = await inFront(t, target)
  const detail = `The certificate of '${target}' is not trusted, or the server does not use TLS: `
  t.match(await reported(url), { status: 502, code: 'provider-unreachable', detail })
  const { url: other } = await inFront(t, target, { fallback: true })
  t.match(await reported(other), { error: { code: 401 } }, 'the mock answers')
  const { url: third } = await inFront(t, `https://127.0.0.1:${new URL(other).port}`)
  t.match(await reported(third), { detail: /does not use TLS/ }, 'a server without TLS')
})
