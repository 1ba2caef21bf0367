// Measures `--provider` beside a plain reverse proxy, in front of the same bare node:http:
//   npm run build && node bench/provider.mjs
import { request as send } from 'node:http'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { cases } from './cases.mjs'
import { median, spread, table } from './statistics.mjs'
import { startTarget } from './target.mjs'
import { load } from './throughput.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const WARM_UP = 2
const TARGETS = ['countersign', 'reverse-proxy']
const MEASURED = [
  'listCreditHistories',
  'addOrganizationMember',
  'uploadSignature',
  'uploadSignature, 50 KiB',
  'uploadSignature, 1 MiB',
]
const REQUESTS = 40_000
const UPLOADS = 20
const LARGE = 50 * 1024 * 1024
const PIECE = Buffer.alloc(64 * 1024, 'x')

/** Throughput of `--provider` and of a plain reverse proxy, in turns, and their ratio. */
export async function forwarding(connections) {
  const rows = []
  for (const one of cases.filter(({ name }) => MEASURED.includes(name))) {
    const { targets, stop } = await startAll([one])
    const rates = Object.fromEntries(TARGETS.map((name) => [name, []]))
    for (const target of targets) await load(target, one, connections, WARM_UP)
    for (let round = 0; round < ROUNDS; round++) {
      for (const target of targets) rates[target.name].push(await load(target, one, connections, 1))
    }
    await stop()
    const ratios = rates.countersign.map((rate, at) => rate / rates['reverse-proxy'][at])
    rows.push({
      case: one.name,
      connections,
      'requests per CPU second': Math.round(median(rates.countersign)),
      'plain reverse proxy': Math.round(median(rates['reverse-proxy'])),
      ratio: median(ratios).toFixed(2),
      spread: spread(ratios),
    })
    console.error(rows.at(-1))
  }
  return rows
}

/** Resident memory of both after many small requests, and at most while 50 MB uploads pass. */
export async function forwardedMemory() {
  const mixed = cases.filter(({ name }) => MEASURED.slice(0, 3).includes(name))
  const { targets, stop } = await startAll(mixed)
  const rows = []
  for (const target of targets) {
    const requests = mixed.map(({ method, url, headers, body }) => ({ method, path: url, headers, body }))
    await autocannon({ url: target.url, requests, connections: 32, amount: REQUESTS })
    const after = (await target.usage()).rss
    let most = 0
    for (let nth = 0; nth < UPLOADS; nth++) most = Math.max(most, await uploadTo(target))
    rows.push({
      what: target.name === 'countersign' ? '--provider' : 'plain reverse proxy',
      [`after ${REQUESTS} requests, MB`]: (after / 1e6).toFixed(0),
      [`at most in ${UPLOADS} × 50 MB, MB`]: (most / 1e6).toFixed(0),
    })
    console.error(rows.at(-1))
  }
  await stop()
  return rows
}

/** The provider answers the very bytes that countersign answers. */
async function startAll(all) {
  const own = await startTarget('countersign')
  const routes = []
  for (const one of all) {
    const response = await fetch(own.url + one.url, { method: one.method, headers: one.headers, body: one.body })
    const { date, connection, 'keep-alive': _, 'content-length': __, ...headers } = Object.fromEntries(response.headers)
    const { method, path, status } = one
    routes.push({ method, path, status, headers, body: await response.text() })
  }
  await own.stop()
  const provider = await startTarget('http', { routes })
  const targets = []
  for (const name of TARGETS) targets.push(await startTarget(name, { provider: provider.url }))
  const stop = async () => {
    for (const one of [...targets, provider]) await one.stop()
  }
  return { targets, stop }
}

/** The most resident memory that a target has while it passes a large form on. */
async function uploadTo(target) {
  const { url, headers } = cases.find(({ name }) => name === 'uploadSignature')
  const boundary = /boundary=(.*)$/.exec(headers['content-type'])[1]
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`
  let most = 0
  let done = false
  const watched = (async () => {
    while (!done) most = Math.max(most, (await target.usage()).rss)
  })()
  await new Promise((resolve, reject) => {
    const request = send(target.url + url, { method: 'POST', headers }, (response) => {
      response.resume().on('end', resolve)
      if (response.statusCode !== 200) reject(new Error(`${target.name}: ${response.statusCode}`))
    })
    request.on('error', reject)
    request.write(head)
    let sent = 0
    const more = () => {
      while (sent < LARGE) {
        sent += PIECE.length
        if (!request.write(PIECE)) return request.once('drain', more)
      }
      request.end(`\r\n--${boundary}--\r\n`)
    }
    more()
  })
  done = true
  await watched
  return most
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sections = [
    ['1 connection', await forwarding(1)],
    ['32 connections', await forwarding(32)],
    ['Memory', await forwardedMemory()],
  ]
  for (const [title, rows] of sections) console.log(`\n### ${title}\n\n${table(rows)}`)
}
