import { createServer } from 'node:http'
import t from 'tap'
import { until } from '../binary.js'
import { fetched } from '../helper.js'
import { head, talk } from '../http/spoken.js'
import { ask, forwarding, freePort, histories, inFront, provider } from './provider.js'

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
