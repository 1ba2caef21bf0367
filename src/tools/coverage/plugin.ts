import plugin from 'fastify-plugin'
import { type Contract, outcomeId, statusesOf } from '../../../schemas/contract.js'
import { declaredOutcomeOf, isForced } from '../../mock/sandbox/journal/exchange.js'
import type { Sandbox } from '../../mock/sandbox/sandbox.js'
import type { Coverage } from '../outcome-coverage.js'

/** Counts the outcomes of each sandbox since its last reset. */
export const coverage = plugin(
  async (app) => {
    const counts = new WeakMap<Sandbox, OutcomeCounts>()
    app.sandboxes.on('exchange', (exchange, sandbox) => {
      const outcome = declaredOutcomeOf(exchange)
      if (outcome === null || exchange.isPast) return
      const own = counts.get(sandbox) ?? {}
      countOutcome(own, outcome, exchange.answer.cause)
      counts.set(sandbox, own)
    })
    app.sandboxes.on('reset', (sandbox) => counts.delete(sandbox))
    app.admin((routes, { contracts }: { readonly contracts: readonly Contract[] }) => {
      routes.get('/coverage', ({ sandbox }) => coverageOf(contracts, counts.get(sandbox) ?? {}))
    })
  },
  { name: 'coverage' },
)

/** What was met, over every declared outcome. */
export function coverageOf(contracts: readonly Contract[], met: Readonly<OutcomeCounts>): Coverage {
  const outcomes = contracts.flatMap((contract) =>
    statusesOf(contract).map((status) => {
      const outcome = outcomeId(contract, status)
      const { count, causes } = met[outcome] ?? { count: 0, causes: {} }
      const { provenance } = contract.responses[status]!
      return { outcome, count, provenance, causes, ...(isForcedOnly(causes) && { forced: true as const }) }
    }),
  )
  return { covered: outcomes.filter(({ count }) => count > 0).length, total: outcomes.length, outcomes }
}

/** True if an outcome was met, and the client or a scenario asked for it each time. */
export function isForcedOnly(causes: Readonly<Record<string, number>>): boolean {
  const all = Object.keys(causes)
  return all.length > 0 && all.every(isForced)
}

/** By outcome id, how often it was met, and by which causes. */
export type OutcomeCounts = Record<string, { count: number; readonly causes: Record<string, number> }>

export function countOutcome(counts: OutcomeCounts, outcome: string, cause: string, times = 1): void {
  counts[outcome] ??= { count: 0, causes: {} }
  const { causes } = counts[outcome]
  counts[outcome].count += times
  causes[cause] = (causes[cause] ?? 0) + times
}

export function addOutcomeCounts(sum: OutcomeCounts, counts: Readonly<OutcomeCounts>): void {
  for (const [outcome, { causes }] of Object.entries(counts))
    for (const [cause, times] of Object.entries(causes)) countOutcome(sum, outcome, cause, times)
}
