import plugin from 'fastify-plugin'
import type { Contract } from '../../../schemas/contract.js'
import { declaredOutcomeOf } from '../../mock/sandbox/journal/exchange.js'
import type { Sandbox } from '../../mock/sandbox/sandbox.js'
import { countOutcome, coverageOf, type OutcomeCounts } from './coverage.js'

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
