import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { fetched, lastExchange } from '../helper.js'
import { head, talk } from '../http/spoken.js'
import { histories, inFront, provider } from './provider.js'

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
