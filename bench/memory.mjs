import autocannon from 'autocannon'
import { cases } from './cases.mjs'
import { startTarget } from './target.mjs'
import { openDashboard } from './watched.mjs'

const STEPS = 4
const REQUESTS = 50_000
/** What leaves no record behind; an upload adds to the state, which is meant to be kept. */
const mixed = cases.filter(({ name }) => !name.startsWith('uploadSignature'))

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
