import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { Api } from '../../engine/api.js'
import { type Contract, outcomeId, outcomeIdsOf, statusesOf } from '../../engine/contract/contract.js'
import { didYouMean, quote } from '../../engine/contract/wording.js'
import type { Middleware } from '../../engine/http/operations/call.js'
import { Problem } from '../../engine/http/problems.js'
import { causeOfOutcome, declaredOutcomeOf, isForced, type TestName } from '../../engine/journal/exchange.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import type { EngineSettings } from '../../engine/sandbox/settings.js'
import type { Tool } from '../../engine/tool.js'
import type { Coverage } from '../report/report.js'

/** `times` counts down. */
export interface ExpectedOutcome {
  readonly outcome: string
  readonly test: TestName
  readonly prefix: string
  times: number
}

export interface CoverageParts {
  /** Called for each unmet expectation of a sandbox that is reset or deleted, and at the end of the server. */
  readonly onUnmet?: ((unmet: ExpectedOutcome) => void) | undefined
}

/** Counts the outcomes of each sandbox since its last reset. */
export const coverageTool = {
  register(app, _, { onUnmet }) {
    const counts = new WeakMap<Sandbox, OutcomeCounts>()
    app.sandboxes.on('exchange', (exchange, sandbox) => {
      const outcome = declaredOutcomeOf(exchange)
      if (outcome === null || exchange.isBeforeReset) return
      const sandboxCounts = counts.get(sandbox) ?? {}
      countOutcome(sandboxCounts, outcome, causeOfOutcome(exchange.answer))
      counts.set(sandbox, sandboxCounts)
    })
    app.sandboxes.on('reset', (sandbox) => counts.delete(sandbox))
    app.admin((routes, { contracts, sandboxOf }) => {
      routes.get('/coverage', (request) => coverageOf(contracts, counts.get(sandboxOf(request)) ?? {}))
    })
    registerExpectations(app, onUnmet)
  },
} as const satisfies Tool<EngineSettings, CoverageParts>

const expectationSchema = ({ sampleOutcome }: Api) =>
  Type.Object(
    { outcome: Type.String(), times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })) },
    { additionalProperties: false, 'x-allowed': `an object with outcome (such as ${sampleOutcome}) and times` },
  )

/** For clients that cannot send `Prefer: expect`. */
function registerExpectations(app: FastifyInstance, onUnmet: CoverageParts['onUnmet']): void {
  const expectations = new Map<Sandbox, ExpectedOutcome[]>()
  const middleware: Middleware = {
    answer: async (call, next) => {
      const answer = await next(call)
      if (answer.kind === 'fault') return answer
      const outcome = outcomeId(call.contract, answer.status)
      const expected = expectations.get(call.sandbox)?.find((one) => one.outcome === outcome && one.times > 0)
      if (expected === undefined) return answer
      expected.times--
      const violations = answer.violations.map((one) => ({ ...one, expected: one.refusedWith !== undefined }))
      return { ...answer, violations }
    },
  }
  let removeMiddleware: (() => void) | undefined
  const expect = (sandbox: Sandbox, expected: ExpectedOutcome) => {
    expectations.set(sandbox, [...(expectations.get(sandbox) ?? []), expected])
    removeMiddleware ??= app.answerWith(middleware)
  }
  const reportUnmet = (sandbox: Sandbox) => {
    for (const expected of expectations.get(sandbox) ?? []) if (expected.times > 0) onUnmet?.(expected)
    expectations.delete(sandbox)
    if (expectations.size > 0) return
    removeMiddleware?.()
    removeMiddleware = undefined
  }
  app.sandboxes.on('reset', reportUnmet)
  app.sandboxes.on('change', (kind, sandbox) => {
    if (kind === 'sandboxes' && !app.sandboxes.includes(sandbox)) reportUnmet(sandbox)
  })
  app.addHook('onClose', async () => [...expectations.keys()].forEach(reportUnmet))
  app.admin((routes, { contracts, sandboxOf }) => {
    const declared = outcomeIdsOf(contracts)
    routes.post('/expectations', { schema: { body: expectationSchema(app.api) } }, (request) => {
      const { outcome, times = 1 } = request.body
      if (!declared.includes(outcome)) {
        const detail = `'outcome' must be a declared outcome, not ${quote(outcome)}.${didYouMean(outcome, declared)} Allowed: ${declared.join(', ')}.`
        throw new Problem('undeclared-outcome', detail)
      }
      const sandbox = sandboxOf(request)
      const { test, prefix } = sandbox
      expect(sandbox, { outcome, times, test, prefix })
      return { outcome, times }
    })
  })
}

export function coverageOf(contracts: readonly Contract[], counts: Readonly<OutcomeCounts>): Coverage {
  const outcomes = contracts.flatMap((contract) =>
    statusesOf(contract).map((status) => {
      const outcome = outcomeId(contract, status)
      const { count, causes } = counts[outcome] ?? { count: 0, causes: {} }
      const { provenance } = contract.responses[status]!
      return { outcome, count, provenance, causes, ...(isForcedOnly(causes) && { forced: true as const }) }
    }),
  )
  return { covered: outcomes.filter(({ count }) => count > 0).length, total: outcomes.length, outcomes }
}

export function isForcedOnly(causes: Readonly<Record<string, number>>): boolean {
  const names = Object.keys(causes)
  return names.length > 0 && names.every(isForced)
}

/** By outcome and cause. */
export type OutcomeCounts = Record<string, { count: number; readonly causes: Record<string, number> }>

export function countOutcome(counts: OutcomeCounts, outcome: string, cause: string, times = 1): void {
  counts[outcome] ??= { count: 0, causes: {} }
  const { causes } = counts[outcome]
  counts[outcome].count += times
  causes[cause] = (causes[cause] ?? 0) + times
}
