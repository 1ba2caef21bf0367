import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import { serve, until } from '../binary.js'
import { formOf } from '../by-hand.js'
import { fetched, requestOf } from '../helper.js'
import { listening } from '../wire.js'
import { CRLF, inChunks } from './forms.js'
import { head } from './spoken.js'

const LIMIT = 100_000
const BIG = Buffer.alloc(4_000_000, 'x')
const AUTHORIZATION = 'Bearer token-admin'
/** Of a server that closes while data arrives, a third to nine tenths of the tries see no answer. */
const TRIES = 5

/** Everything that reads a body: an operation with a form, one without, admin, a page, and no route at all. */
const places: Readonly<Record<string, string>> = {
  'an operation with a form': requestOf(uploadSignature).url,
  'an operation without a form': requestOf(createSigningLink).url,
  admin: '/__admin/scenarios/reset',
  'a page': '/invitations/x/accept',
  'no route': '/nowhere',
}

const chunks = () =>
  Readable.from(Array.from({ length: 63 }, (_, nth) => BIG.subarray(nth * 64_000, (nth + 1) * 64_000)))

const send = async (url: string, init: RequestInit) =>
  (await fetched(url, { ...init, method: 'POST', headers: { authorization: AUTHORIZATION } })).status

const sendByNode = (url: string, agent: Agent | false, headers = {}) =>
  new Promise<number | string>((resolve) => {
    const sent = request(url, { method: 'POST', agent, headers: { authorization: AUTHORIZATION, ...headers } })
    sent.on('error', ({ code }: NodeJS.ErrnoException) => resolve(`${code}`))
    sent.on('response', (response) => response.on('end', () => resolve(response.statusCode as number)).resume())
    chunks().pipe(sent)
  })

const CURL = '/usr/bin/curl'
const sendByCurl = (url: string, ...more: readonly string[]) =>
  new Promise<number | string>((resolve) => {
    const args = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Authorization: ${AUTHORIZATION}`, ...more, url]
    const child = execFile(CURL, args, (error, out) => resolve(error === null ? Number(out) : `exit ${error.code}`))
    child.stdin?.on('error', () => {})
    child.stdin?.end(BIG)
  })

t.test('every client reads the answer to a body over the limit', async (t) => {
  // In a process of its own: one that shares the client's turns never closes while the client writes.
  const { url } = await serve(t, ['--body-limit', String(LIMIT)])
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const clients: Readonly<Record<string, (url: string) => Promise<number | string>>> = {
    'fetch, a form': (url) => send(url, { body: formOf({ file: new File([BIG], 'a.png') }) }),
    'fetch, bytes': (url) => send(url, { body: BIG }),
    'fetch, a stream': (url) => send(url, { body: Readable.toWeb(chunks()), duplex: 'half' } as RequestInit),
    'node:http, kept alive': (url) => sendByNode(url, agent, { 'content-length': BIG.length }),
    'node:http, kept alive, chunked': (url) => sendByNode(url, agent),
    'node:http, not kept alive': (url) => sendByNode(url, false, { 'content-length': BIG.length }),
    'node:http, not kept alive, chunked': (url) => sendByNode(url, false),
    ...(existsSync(CURL) && {
      'curl -F': (url: string) => sendByCurl(url, '-F', 'file=@-;filename=a.png'),
      'curl, HTTP/1.0': (url: string) => sendByCurl(url, '-0', '-H', 'Expect:', '--data-binary', '@-'),
    }),
  }
  for (const [place, path] of Object.entries(places)) {
    for (const [client, post] of Object.entries(clients)) {
      const seen: (number | string)[] = []
      for (let nth = 0; nth < TRIES; nth++)
        seen.push(await post(url + path).catch((error) => error.cause?.code ?? `${error}`))
      t.same(seen, Array(TRIES).fill(413), `${client} to ${place}: every try reads the 413`)
    }
  }
})

/** A request as a client writes it that reads nothing until all is sent. */
const begun = (path: string, ...fields: readonly string[]) =>
  head([`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: ${AUTHORIZATION}`, ...fields])
const [CLOSE, KEEP_ALIVE] = ['Connection: close', 'Connection: keep-alive']
const LENGTH = `Content-Length: ${BIG.length}`

/** Sends all, and only then reads the first line of the answer. */
const sendThenRead = (port: number, ...sent: readonly (string | Buffer)[]) =>
  new Promise<string>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', ({ message }) => resolve(message))
    socket.write(Buffer.concat(sent.map((one) => Buffer.from(one))), () => {
      socket.on('data', (data) => {
        resolve(data.toString('latin1').split(CRLF)[0] as string)
        socket.destroy()
      })
    })
  })

t.test('a client that reads only once all is sent reads the answer too', async (t) => {
  const { url } = await serve(t, ['--body-limit', String(LIMIT)])
  const over = BIG.subarray(0, LIMIT + 1)
  const framed: Readonly<Record<string, readonly [field: string, body: Buffer]>> = {
    'a large body': [LENGTH, BIG],
    'one byte over': [`Content-Length: ${over.length}`, over],
    'one byte over, chunked': ['Transfer-Encoding: chunked', inChunks([over])],
  }
  for (const [place, path] of Object.entries(places)) {
    for (const closing of [CLOSE, KEEP_ALIVE]) {
      for (const [what, [field, body]] of Object.entries(framed)) {
        const line = await sendThenRead(Number(new URL(url).port), begun(path, closing, field), body)
        t.equal(line, 'HTTP/1.1 413 Payload Too Large', `${place}, ${closing}, ${what}`)
      }
    }
  }
})

t.test('a server closes though a client is in the middle of its body', async (t) => {
  const { server, port } = await listening(t, { bodyLimit: LIMIT })
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write(begun(requestOf(uploadSignature).url, LENGTH))
  await until(() => server.worlds.root.journal.total === 1)
  const started = performance.now()
  await server.close()
  t.ok(performance.now() - started < 5_000, 'it does not wait for it')
})
