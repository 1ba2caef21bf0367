import autocannon from 'autocannon'
import { cases } from './cases.mjs'
import { startTarget } from './target.mjs'

const STEPS = 4
const REQUESTS = 50_000
/** What leaves no record behind; an upload adds to the state, which is meant to be kept. */
const mixed = cases.filter(({ name }) => !name.startsWith('uploadSignature'))

/** Heap in use after each 50,000 mixed requests, garbage collected. */
export async function memory() {
  const target = await startTarget('countersign', {}, ['--expose-gc'])
  const requests = mixed.map(({ method, url, headers, body }) => ({ method, path: url, headers, body }))
  const rows = []
  for (let step = 1; step <= STEPS; step++) {
    await autocannon({ url: target.url, requests, connections: 32, amount: REQUESTS })
    const { heapUsed, rss } = await target.usage()
    rows.push({
      requests: step * REQUESTS,
      'heap, MB': (heapUsed / 1e6).toFixed(1),
      'resident, MB': (rss / 1e6).toFixed(0),
    })
    console.error(rows.at(-1))
  }
  await target.stop()
  return rows
}
