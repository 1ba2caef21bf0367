import { Type } from '@sinclair/typebox'
import plugin from 'fastify-plugin'
import { outcomeId, outcomeIdsOf } from '../../../schemas/contract.js'
import type { Middleware } from '../../mock/http/api/call.js'
import { Problem } from '../../mock/http/problems.js'
import type { Sandbox } from '../../mock/sandbox/sandbox.js'
import { didYouMean, quote } from '../../mock/text/wording.js'

/** An outcome that a test expects. */
export interface Expectation {
  readonly outcome: string
  /** How often it is still to come. */
  times: number
  readonly test?: string | undefined
}

export interface ExpectationOptions {
  /** Is told, when a sandbox is reset or deleted and when the server closes, what never came. */
  readonly onUnmet?: ((unmet: Expectation) => void) | undefined
}

const MOST = 1_000

const Body = Type.Object(
  { outcome: Type.String(), times: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST })) },
  {
    additionalProperties: false,
    'x-allowed': `an object with outcome (such as addOrganizationMember:400) and times (1 to ${MOST}, by default 1)`,
  },
)

/** Marks the violations of calls whose outcome a test expects, for clients that cannot send `Prefer: expect`. */
export const expectations = plugin<ExpectationOptions>(
  async (app, { onUnmet }) => {
    const open = new Map<Sandbox, Expectation[]>()
    const middleware: Middleware = {
      isAlwaysOn: false,
      answer: async (call, next) => {
        const answer = await next(call)
        const outcome = outcomeId(call.contract, answer.status)
        const expected = open.get(call.sandbox)?.find((one) => one.outcome === outcome && one.times > 0)
        if (expected === undefined || answer.fault !== undefined) return answer
        expected.times--
        const violations = answer.violations.map((one) =>
          one.refusedWith === undefined ? one : { ...one, expected: true },
        )
        return { ...answer, violations }
      },
    }
    const settle = (sandbox: Sandbox) => {
      for (const one of open.get(sandbox) ?? []) if (one.times > 0) onUnmet?.(one)
      open.delete(sandbox)
      middleware.isAlwaysOn = open.size > 0
    }
    app.answerWith(middleware)
    app.sandboxes.on('reset', settle)
    app.sandboxes.on('change', (aspect, sandbox) => {
      if (aspect === 'sandboxes' && !app.sandboxes.includes(sandbox)) settle(sandbox)
    })
    app.addHook('onClose', async () => {
      for (const sandbox of open.keys()) settle(sandbox)
    })
    app.admin((routes, { contracts }) => {
      const known = outcomeIdsOf(contracts)
      routes.post('/expectations', { schema: { body: Body } }, ({ sandbox, body: { outcome, times = 1 } }) => {
        if (!known.includes(outcome)) {
          const detail = `'outcome' must be a declared outcome, not ${quote(outcome)}.${didYouMean(outcome, known)} Allowed: ${known.join(', ')}.`
          throw new Problem('undeclared-outcome', detail)
        }
        open.set(sandbox, [...(open.get(sandbox) ?? []), { outcome, times, test: sandbox.title }])
        middleware.isAlwaysOn = true
        return { outcome, times }
      })
    })
  },
  { name: 'expectations' },
)
