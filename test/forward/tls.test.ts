import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { folder, serve } from '../binary.js'
import { histories, inFront, listen } from './provider.js'

const OPENSSL = '/usr/bin/openssl'
const skip = existsSync(OPENSSL) ? false : `there is no ${OPENSSL}`

/** A provider with a certificate of an authority of its own. */
async function secureProvider(t: Test, names = 'DNS:localhost,IP:127.0.0.1') {
  const place = folder(t, { 'ext.cnf': `subjectAltName=${names}\n` })
  const openssl = (line: string) => execFileSync(OPENSSL, line.split(' '), { cwd: place, stdio: 'pipe' })
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority')
  openssl('req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost')
  openssl('x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 -extfile ext.cnf')
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(place, name)))
  let connections = 0
  const server = createServer({ key, cert }, (request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ host: request.headers.host, connections })))
  })
  server.on('secureConnection', () => connections++)
  return { port: await listen(t, server), authority: join(place, 'ca.pem') }
}

const told = async (url: string) => JSON.parse(await (await fetch(url + histories.url)).text())

t.test('an authority of its own is trusted when Node is told of it', { skip }, async (t) => {
  const { port, authority } = await secureProvider(t)
  const env = { NODE_EXTRA_CA_CERTS: authority }
  for (const host of ['localhost', '127.0.0.1']) {
    const { url } = await serve(t, ['--provider', `https://${host}:${port}/`], { env })
    const [first, second] = [await told(url), await told(url)]
    t.equal(first.host, `${host}:${port}`)
    t.equal(second.connections, first.connections, 'the connection is kept')
  }
})

t.test('a certificate that is not trusted is a problem, or a case for --fallback', { skip }, async (t) => {
  const { port } = await secureProvider(t)
  const target = `https://localhost:${port}`
  const { url } = await inFront(t, target)
  t.match(await told(url), {
    status: 502,
    code: 'provider-unreachable',
    detail: `The certificate of '${target}' is not trusted, or the server does not use TLS: correct --provider, or add the certificate's authority to NODE_EXTRA_CA_CERTS. With --fallback the mock answers in the meantime.`,
  })
  const { url: other } = await inFront(t, target, { fallback: true })
  t.match(await told(other), { error: { code: 401 } }, 'the mock answers')
  const { url: third } = await inFront(t, `https://127.0.0.1:${new URL(other).port}`)
  t.match(await told(third), { detail: /does not use TLS/ }, 'what speaks no TLS')
})
