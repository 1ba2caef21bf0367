import { request } from 'node:http'
import { cases } from './cases.mjs'
import { median, spread } from './statistics.mjs'
import { startTarget } from './target.mjs'
import { load } from './throughput.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const WARM_UP = 2
/** An answer without violations, one with them, and one of a form. */
const NAMES = ['listCreditHistories', '401', 'addOrganizationMember']

/** Follows the exchanges as the dashboard's page does; resolves with what leaves. */
export async function openDashboard(url) {
  const events = request(`${url}/__admin/events?exchanges=summary`)
  await new Promise((resolve) => events.once('response', (response) => resolve(response.resume())).end())
  return () => events.destroy()
}

/** Requests per CPU second with the log on, and with a dashboard open, to those without either, in turns. */
export async function watched(connections) {
  const rows = []
  for (const one of cases.filter(({ name }) => NAMES.includes(name))) {
    const [plain, logging, open] = await Promise.all([
      startTarget('countersign'),
      startTarget('countersign', { logRequests: true }),
      startTarget('countersign'),
    ])
    const leave = await openDashboard(open.url)
    const targets = [plain, logging, open]
    for (const target of targets) await load(target, one, connections, WARM_UP)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      const rates = []
      for (const target of targets) rates.push(await load(target, one, connections, 1))
      rounds.push(rates)
    }
    leave()
    for (const target of targets) await target.stop()
    for (const [what, at] of [
      ['log on', 1],
      ['dashboard open', 2],
    ]) {
      const ratios = rounds.map((rates) => rates[at] / rates[0])
      rows.push({ case: one.name, what, 'to neither': median(ratios).toFixed(2), spread: spread(ratios) })
      console.error(rows.at(-1))
    }
  }
  return rows
}
