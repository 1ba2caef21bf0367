// Compares the CPU time of calls late in a run with calls early in it; each invitation and each link has a new address. Also
// compares the cost of lists before and after the server has many records or exchanges.
//   node bench/growth.mjs
import { caseOf, cases } from './cases.mjs'
import { median, table } from './tables.mjs'
import { startTarget } from './target.mjs'

const CALLS = 10_000
const SANDBOXES = 500
const BAR = 1.2
/** Calls in a batch: enough to measure their CPU time. */
const BATCH = 500

let links = 0
const withNewAddress = {
  addOrganizationMember: (one) => one.setupRequest(one),
  createSigningLink: (one) => ({
    ...one,
    path: one.path.replace(/email=[^&]*/, `email=nobody-${++links}%40example.test`),
  }),
}

const page = caseOf('listCreditHistories')
const rows = []
for (const one of cases.filter(({ name }) => !/MiB/.test(name))) {
  const call = () => withNewAddress[one.name]?.(one) ?? one
  rows.push({ what: one.name, ...(await growth(call, CALLS)) })
}
let sandbox = 0
const newSandbox = () => ({ ...page, path: `/~new-${++sandbox}${page.path}` })
rows.push({ what: 'the first call of a sandbox', ...(await growth(newSandbox, SANDBOXES + 9 * BATCH)) })
const manyHistories = async ({ url }) => {
  const { credit_histories: known } = await (await fetch(`${url}/__admin/state`)).json()
  const idOf = (at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
  const more = Array.from({ length: 10_000 }, (_, at) => ({ ...known[at % known.length], id: idOf(at) }))
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ credit_histories: more })
  await send(url, { method: 'PATCH', path: '/__admin/state', headers, body })
}
rows.push({ what: 'a page, beside 10,000 more histories', ...(await growth(() => page, 0, manyHistories)) })
const fullJournal = async ({ url }) => {
  for (let at = 0; at < 1_000; at++) await send(url, page)
}
const newest = { method: 'GET', path: '/__admin/requests?limit=1' }
rows.push({ what: 'the newest request, of 1,000', ...(await growth(() => newest, 0, fullJournal)) })
console.log(`\n## Growth over ${CALLS} calls, and ${SANDBOXES} sandboxes\n\n${table(rows)}`)

/** Compares the median of three batches after the warm-up with that of three batches after these calls and the change. */
async function growth(call, calls, change) {
  const target = await startTarget('countersign')
  await send(target.url, page)
  const batch = async () => {
    const before = (await target.usage()).cpu
    for (let at = 0; at < BATCH; at += 10) await Promise.all(Array.from({ length: 10 }, () => send(target.url, call())))
    return ((await target.usage()).cpu - before) / BATCH
  }
  const three = async () => median([await batch(), await batch(), await batch()])
  // Warm-up: V8 optimizes for a thousand calls or so.
  await three()
  const early = await three()
  for (let at = 9 * BATCH; at < calls - 3 * BATCH; at += BATCH) await batch()
  await change?.(target)
  // The garbage of the change is collected meanwhile.
  await three()
  const late = await three()
  await target.stop()
  return { 'early, µs': early.toFixed(0), 'late, µs': late.toFixed(0), growth: (late / early).toFixed(2), bar: BAR }
}

async function send(url, { method, path, headers, body }) {
  await (await fetch(url + path, { method, headers, body })).arrayBuffer()
}
