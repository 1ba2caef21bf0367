import autocannon from 'autocannon'
import { cases } from './cases.mjs'
import { peers, startPeer } from './peers.mjs'
import { startTarget } from './target.mjs'
import { routeOf } from './throughput.mjs'
import { openDashboard } from './watched.mjs'

const STEPS = 4
const REQUESTS = 50_000
/** What leaves no record behind; an upload adds to the state, which is meant to be kept. */
const mixed = cases.filter(({ name, options }) => !name.startsWith('uploadSignature') && options === undefined)

const MANY = 40_000
/** Everything but what is large; the records of uploads stay. */
const small = cases.filter(({ options, name }) => options === undefined && !/KiB|MiB/.test(name))

/** Resident memory after 40,000 mixed requests, of all servers. */
export async function memoryOfAll() {
  const own = await startTarget('countersign')
  const routes = []
  for (const one of small) {
    const response = await fetch(own.url + one.url, { method: one.method, headers: one.headers, body: one.body })
    if (routes.every(({ path, method }) => path !== one.path || method !== one.method))
      routes.push(routeOf(one, response, await response.text()))
  }
  await own.stop()
  const starts = {
    countersign: () => startTarget('countersign'),
    'bare Fastify': () => startTarget('fastify', { routes }),
    'node:http': () => startTarget('http', { routes }),
    ...Object.fromEntries(peers.map((name) => [name, () => startPeer(name, routes)])),
  }
  const after = {}
  for (const [name, start] of Object.entries(starts)) after[name] = await residentAfter(await start())
  return Object.entries(after).map(([what, megabytes]) => ({
    what,
    'resident, MB': megabytes.toFixed(0),
    'to Fastify': (megabytes / after['bare Fastify']).toFixed(2),
  }))
}

async function residentAfter(target) {
  const requests = small.map(({ method, url, headers, body }) => ({ method, path: url, headers, body }))
  await autocannon({ url: target.url, requests, connections: 32, amount: MANY })
  const { rss } = await target.usage()
  await target.stop()
  return rss / 1e6
}

/** Heap in use after each 50,000 mixed requests, garbage collected; while a dashboard is open, too. */
export async function memory() {
  return [...(await measured('alone', async () => () => {})), ...(await measured('dashboard open', openDashboard))]
}

async function measured(what, watch) {
  const target = await startTarget('countersign', {}, ['--expose-gc'])
  const leave = await watch(target.url)
  const requests = mixed.map(({ method, url, headers, body }) => ({ method, path: url, headers, body }))
  const rows = []
  for (let step = 1; step <= STEPS; step++) {
    await autocannon({ url: target.url, requests, connections: 32, amount: REQUESTS })
    const { heapUsed, rss } = await target.usage()
    rows.push({
      what,
      requests: step * REQUESTS,
      'heap, MB': (heapUsed / 1e6).toFixed(1),
      'resident, MB': (rss / 1e6).toFixed(0),
    })
    console.error(rows.at(-1))
  }
  leave()
  await target.stop()
  return rows
}
