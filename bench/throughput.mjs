import autocannon from 'autocannon'
import { cases } from './cases.mjs'
import { peers, startPeer } from './peers.mjs'
import { median, spread } from './statistics.mjs'
import { startTarget } from './target.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** Seconds: what is measured is compiled code, and not its compilation. */
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 5)
/** Java compiles for longer. */
const WARM_UPS = { WireMock: 10 }
const TARGETS = ['countersign', 'fastify', ...peers]

/** Requests per CPU second of each target, in turns, and their ratios; every answer's status is checked. */
export async function throughput(connections) {
  const rows = []
  for (const one of cases) {
    const targets = await startAll(one)
    const rates = Object.fromEntries(TARGETS.map((name) => [name, []]))
    for (const target of targets) await load(target, one, connections, WARM_UPS[target.name] ?? WARM_UP)
    for (let round = 0; round < ROUNDS; round++) {
      for (const target of targets) rates[target.name].push(await load(target, one, connections, 1))
    }
    for (const target of targets) await target.stop()
    const ratios = (name, to) => rates[name].map((rate, at) => rate / rates[to][at])
    const toFastify = ratios('countersign', 'fastify')
    rows.push({
      case: one.name,
      connections,
      'requests per CPU second': Math.round(median(rates.countersign)),
      'to Fastify': median(toFastify).toFixed(2),
      spread: spread(toFastify),
      ...Object.fromEntries(peers.map((name) => [`${name} to Fastify`, median(ratios(name, 'fastify')).toFixed(2)])),
    })
    console.error(rows.at(-1))
  }
  return rows
}

/** The reference answers the very bytes that countersign answers. */
async function startAll(one) {
  const own = await startTarget('countersign', one.options)
  const response = await fetch(own.url + one.url, { method: one.method, headers: one.headers, body: one.body })
  const body = await response.text()
  if (response.status !== one.status) throw new Error(`${one.name}: ${response.status} ${body}`)
  const routes = [routeOf(one, response, body)]
  const others = [await startTarget('fastify', { routes })]
  for (const name of peers) others.push(await startPeer(name, routes))
  return [own, ...others]
}

/** What answers as a response did. */
export function routeOf({ method, path, status }, { headers }, body) {
  const { date, connection, 'keep-alive': _, 'content-length': __, ...others } = Object.fromEntries(headers)
  return { method, path, status, headers: others, body }
}

/** Requests per second of the target's CPU time. */
export async function load(target, { method, url, headers, body, status, name }, connections, seconds) {
  const before = await target.usage()
  const result = await autocannon({ url: target.url + url, method, headers, body, connections, duration: seconds })
  const after = await target.usage()
  const answered = result.requests.total
  // Peers check less, or more: what counts is that they answer.
  const expected = peers.includes(target.name) ? answered : (result.statusCodeStats[status]?.count ?? 0)
  if (expected < answered || result.errors > 0) {
    throw new Error(
      `${target.name}, ${name}: ${answered - expected} of ${answered} answers were not ${status}, ${result.errors} errors`,
    )
  }
  return answered / ((after.cpu - before.cpu) / 1e6)
}
