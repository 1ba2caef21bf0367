// Requests per CPU second of countersign, of bare Fastify, and of the peers that are installed in the working directory. They
// take turns, so that other load on the machine affects all of them.
//   npm install --no-save openapi-backend @stoplight/prism-cli @mockoon/commons-server msw @mswjs/http-middleware
//   node bench/throughput.mjs [--rounds 5] [--warm-up 5] [--only WORD]
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { cases } from './cases.mjs'
import { median, spread, table } from './tables.mjs'
import { repliesTo, startTarget } from './target.mjs'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    // In seconds: V8 compiles during the warm-up.
    'warm-up': { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
})
const packages = {
  'openapi-backend': 'openapi-backend',
  prism: '@stoplight/prism-cli',
  mockoon: '@mockoon/commons-server',
  msw: '@mswjs/http-middleware',
}
const peers = Object.keys(packages).filter((peer) => existsSync(`node_modules/${packages[peer]}`))
const names = ['countersign', 'fastify', ...peers]

for (const connections of [1, 32]) {
  const rows = []
  for (const one of cases.filter(({ name }) => name.includes(options.only))) {
    const rates = await measure(one, connections)
    const ratiosOf = (name) => rates[name].map((rate, round) => rate / rates.fastify[round])
    const ratios = ratiosOf('countersign')
    rows.push({
      case: one.name,
      'requests per CPU second': median(rates.countersign).toFixed(0),
      'to Fastify': median(ratios).toFixed(2),
      spread: spread(ratios),
      bar: one.bar[connections],
      ...Object.fromEntries(peers.map((peer) => [peer, median(ratiosOf(peer)).toFixed(2)])),
    })
    console.error(`${one.name}, ${connections}: ${rows.at(-1)['to Fastify']}`)
  }
  console.log(`\n## Throughput, ${connections} connection${connections > 1 ? 's' : ''}\n\n${table(rows)}`)
}

/** Each target's rates, one for each round. */
async function measure(one, connections) {
  const replies = await repliesTo([one])
  const targets = []
  for (const name of names) targets.push(await startTarget(name, replies))
  const rates = Object.fromEntries(names.map((name) => [name, []]))
  for (const target of targets) await load(target, one, connections, Number(options['warm-up']))
  for (let round = 0; round < Number(options.rounds); round++)
    for (const target of targets) rates[target.name].push(await load(target, one, connections, 1))
  for (const target of targets) await target.stop()
  return rates
}

/** Requests per second of the target's CPU time. */
async function load(target, { method, path, headers, body, setupRequest, status, name }, connections, duration) {
  const before = await target.usage()
  const requests = [setupRequest ? { setupRequest } : {}]
  const result = await autocannon({ url: target.url + path, method, headers, body, requests, connections, duration })
  const after = await target.usage()
  const answers = result.requests.total
  // Peers check less, or more: any status is accepted.
  const expected = peers.includes(target.name) ? answers : (result.statusCodeStats[status]?.count ?? 0)
  if (expected < answers || result.errors > 0)
    throw new Error(`${target.name}, ${name}: ${answers - expected} answers not ${status}, ${result.errors} errors`)
  return answers / ((after.cpu - before.cpu) / 1e6)
}
