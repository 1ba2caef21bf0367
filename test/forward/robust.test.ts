import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { connect, createServer as createTcp } from 'node:net'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { until } from '../binary.js'
import { fetched, lastExchange } from '../helper.js'
import { head, talk, untilClosed } from '../http/spoken.js'
import {
  ask,
  forwarding,
  freePort,
  goodHistories,
  histories,
  inFront,
  jsonAnswer,
  listen,
  provider,
} from './provider.js'

const BLOCK = Buffer.alloc(1024 * 1024)
const get = [`GET ${histories.url} HTTP/1.1`, 'Host: x']

t.test('a provider that reads nothing fills no memory, and is given up', async (t) => {
  const stuck = createTcp((socket) => void socket.pause().on('error', () => {}))
  const { url, server } = await inFront(t, `http://127.0.0.1:${await listen(t, stuck)}`)
  let taken = 0
  async function* body() {
    for (let sent = 0; sent < 300; sent++) {
      if (lastExchange(server)?.duration === null) taken = sent
      yield BLOCK
    }
  }
  const sending = { method: 'POST', body: ReadableStream.from(body()), duplex: 'half' } as RequestInit
  const response = await fetch(`${url}/client/signature`, sending).catch((error) => error)
  t.ok(taken > 0 && taken < 40, `no more than ${taken} MB are on their way`)
  t.match(lastExchange(server), { status: 504, why: /did not answer within 1 s/ })
  t.ok(response.status === 504 || response instanceof Error)
})

t.test('a client that reads nothing fills no memory, and is not the provider’s fault', async (t) => {
  let written = 0
  function* blocks() {
    for (; written < 200; written++) yield BLOCK
  }
  const { url } = await provider(t, (request, response) => {
    request.resume()
    Readable.from(blocks()).pipe(response)
  })
  const { port, server } = await inFront(t, url)
  const socket = connect(port, '127.0.0.1')
  socket.write(head([...get, 'Connection: close']))
  socket.pause()
  await new Promise((later) => setTimeout(later, 2_500))
  t.ok(written < 40, `the provider is held back after ${written} MB`)
  t.equal(lastExchange(server).duration, null, 'and waited for, longer than it would be by itself')
  let got = 0
  socket.on('data', (chunk) => (got += chunk.length)).resume()
  await new Promise((ends) => socket.once('end', ends))
  t.ok(got > 200 * 1024 * 1024, 'all of it arrives')
})

t.test('with --fallback, a provider may come and go under load', async (t) => {
  const port = await freePort()
  const { url, server } = await inFront(t, `http://127.0.0.1:${port}`, { fallback: true })
  const causes = new Map<string, number>()
  let last = ''
  server.worlds.root.journal.subscribe(({ cause, status }) => {
    last = cause
    const what = `${cause} ${status}`
    causes.set(what, (causes.get(what) ?? 0) + 1)
  })
  let over = false
  t.teardown(() => {
    over = true
  })
  const load = Array.from({ length: 8 }, async () => {
    while (!over) await ask(histories, url).catch(() => {})
  })
  for (let nth = 0; nth < 3; nth++) {
    const theirs = createServer((request, response) => {
      request.resume().on('end', () => response.end('{"from":"provider"}'))
    })
    await new Promise<void>((listens) => theirs.listen(port, '127.0.0.1', listens))
    await until(() => last === 'provider')
    await new Promise((later) => setTimeout(later, 100))
    theirs.closeIdleConnections()
    const closed = new Promise((ends) => theirs.close(ends))
    setTimeout(() => theirs.closeAllConnections(), 50)
    await closed
    await until(() => last === 'fallback')
  }
  over = true
  await Promise.all(load)
  const { 'provider 200': theirs = 0, 'fallback 200': ours = 0, ...lost } = Object.fromEntries(causes)
  const rare = Object.values(lost).reduce((sum, count) => sum + count, 0)
  t.ok(rare <= 24, 'at most what was under way as it was killed is lost', lost)
  t.ok(ours > 10 && theirs > 10, 'both have answered', { ours, theirs })
})

t.test('a server that closes does not wait for the provider', async (t) => {
  const { url, server, sockets } = await forwarding(t, () => {}, {}, { timeouts: { connect: 60_000, idle: 60_000 } })
  const waiting = fetch(url + histories.url).catch((error) => error)
  await until(() => sockets.length === 1)
  const started = performance.now()
  await server.close()
  t.ok(performance.now() - started < 2_000, 'it closes within two seconds')
  t.ok((await waiting) instanceof Error, 'the client is told')
  await until(() => sockets[0]?.destroyed || sockets[0]?.readableEnded)
})

t.test('many headers pass', async (t) => {
  const names = Array.from({ length: 1_800 }, (_, nth) => `a${nth}: 1`)
  const { port, requests } = await forwarding(t, jsonAnswer({}, names))
  const { text } = await untilClosed(port, head([...get, 'Connection: close', ...names]))
  t.match(String(requests[0]), '\r\na1799: 1\r\n', 'to the provider')
  t.match(text, '\r\na1799: 1\r\n', 'and back')
})

t.test('behind an answer that breaks off on one connection, nothing looks whole', async (t) => {
  let nth = 0
  const { port, server } = await forwarding(t, (socket) => {
    if (nth++ > 0) return void socket.write(goodHistories)
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc')
    setTimeout(() => socket.destroy(), 50)
  })
  const { text } = await untilClosed(port, head(get) + head(get))
  t.match(text, /\r\n\r\nabc$/, 'the client got the beginning, and then the end')
  const { journal } = server.worlds.root
  await until(() => journal.exchanges().every(({ duration }) => duration !== null))
  t.equal(journal.total, 2)
})

t.test('connections are kept, and many requests at once are told apart', async (t) => {
  const sockets = new Set<unknown>()
  const { url } = await provider(t, (request, response) => {
    sockets.add(request.socket)
    request.resume().on('end', () => {
      setTimeout(() => response.end(JSON.stringify({ url: request.url })), Math.random() * 10)
    })
  })
  const { url: own, port, server } = await inFront(t, url)
  for (let nth = 0; nth < 5; nth++) await fetched(`${own}${histories.url}&n=${nth}`)
  t.equal(sockets.size, 1, 'one after the other take one connection')
  const nths = Array.from({ length: 50 }, (_, nth) => nth)
  const all = await Promise.all(nths.map((nth) => fetched(`${own}/~w${nth}${histories.url}&n=${nth}`)))
  const urls = all.map(({ body }) => JSON.parse(body).url)
  const wanted = nths.map((nth) => `${histories.url}&n=${nth}`)
  t.same(urls, wanted, 'each gets its own answer')
  t.equal(server.worlds.sandbox('w7')?.journal.exchanges().length, 1, 'in its own world')
  const piped = nths.slice(0, 4).map((nth) => head([`GET ${histories.url}&p=${nth} HTTP/1.1`, 'Host: x']))
  const { bytes: got } = await talk(port, piped.join(''), 300)
  const order = Array.from(String(got).matchAll(/&p=(\d)/g), ([, nth]) => nth)
  t.same(order, ['0', '1', '2', '3'], 'those that come at once are answered in order')
})

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

t.test('what reads slowly is waited for on both sides, and 50 MB pass whole', async (t) => {
  const size = 50 * 1024 * 1024
  const block = Buffer.alloc(64 * 1024, 'x')
  const digest = () => createHash('sha256')
  function* blocks() {
    for (let sent = 0; sent < size; sent += block.length) yield block
  }
  const wanted = digest()
  for (const one of blocks()) wanted.update(one)
  const sum = wanted.digest('hex')
  const { url } = await provider(t, (request, response) => {
    const got = digest()
    request.on('data', (chunk) => {
      got.update(chunk)
      request.pause()
      setImmediate(() => request.resume())
    })
    request.on('end', () => {
      response.setHeader('x-sum', got.digest('hex'))
      Readable.from(blocks()).pipe(response)
    })
  })
  const { url: own, server } = await inFront(t, url, { bodyLimit: 1024 * 1024 })
  const headers = { authorization: 'Bearer x', 'content-type': 'application/octet-stream' }
  const sending = { method: 'POST', headers, body: ReadableStream.from(blocks()), duplex: 'half' } as RequestInit
  const response = await fetch(`${own}/client/signature?user_type=ENTERPRISE_API`, sending)
  t.equal(response.headers.get('x-sum'), sum, 'the provider has got all of it')
  const back = digest()
  let [most, read] = [0, 0]
  for await (const chunk of response.body as never as AsyncIterable<Uint8Array>) {
    back.update(chunk)
    read += chunk.byteLength
    if (read < 5 * 1024 * 1024) continue
    // Garbage is nobody's memory.
    collect()
    most = Math.max(most, process.memoryUsage().arrayBuffers)
    read = 0
  }
  t.equal(back.digest('hex'), sum, 'and so has the client')
  t.ok(most < 60 * 1024 * 1024, `never was all of it in memory: ${most}`)
  const { why } = lastExchange(server)
  t.match(why, /not compared with the contract: it is longer than 4 MiB/, 'the journal says what was not compared')
  t.match(why, /body was not checked: it is longer than --body-limit/, 'on both sides')
})
