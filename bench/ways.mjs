import { cases } from './cases.mjs'
import { median, spread } from './statistics.mjs'
import { startTarget } from './target.mjs'
import { load } from './throughput.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const WARM_UP = 2

const listCreditHistories = cases.find(({ name }) => name === 'listCreditHistories')
const { url, headers } = listCreditHistories

/** The same call to one world, however it is named, and to the root. */
const ways = {
  'the root': {},
  'base URL': { url: `/~bench${url}` },
  'X-Mock-Sandbox': { headers: { ...headers, 'x-mock-sandbox': 'bench' } },
  baggage: { headers: { ...headers, baggage: 'trace=1,mock-sandbox=bench' } },
  token: { headers: { ...headers, authorization: `${headers.authorization}~bench` } },
}

/** Requests per CPU second of each way to name a world, in turns, as ratios to the base URL. */
export async function waysToAWorld(connections) {
  const target = await startTarget('countersign')
  const call = (name, seconds) => load(target, { ...listCreditHistories, ...ways[name], name }, connections, seconds)
  for (const name of Object.keys(ways)) await call(name, WARM_UP)
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const rates = {}
    for (const name of Object.keys(ways)) rates[name] = await call(name, 1)
    rounds.push(rates)
  }
  await target.stop()
  return Object.keys(ways).map((name) => {
    const ratios = rounds.map((rates) => rates[name] / rates['base URL'])
    return { 'named by': name, 'to the base URL': median(ratios).toFixed(2), spread: spread(ratios) }
  })
}
