import plugin from 'fastify-plugin'
import { jsonOr } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import type { Call } from '../../engine/http/api/call.js'
import { withLinks } from '../../engine/http/api/declared-answer.js'
import { Problem, type ProblemKind } from '../../engine/http/problems.js'
import { type Answer, isForced } from '../../engine/journal/exchange.js'
import { checkBody } from '../../engine/judge/deviations.js'
import type { Mutant } from './mutant.js'
import { hasEffect, mutantsOf } from './mutants.js'
import { mutantsAmong } from './scenario.js'

export interface MutateOptions {
  /** The id of the mutant of a measured run, and what is called when an answer is altered. */
  readonly run?: { readonly mutant: string; readonly onAltered: () => void } | undefined
}

/** Makes answers untrue: by preference, by a scenario `mutant:ID`, or in a measured run. */
export const mutate = plugin<MutateOptions>(
  async (app, { run }) => {
    app.answerWith({
      preferences: ['mutant'],
      isAlwaysOn: run !== undefined,
      answer: async (call, next) => {
        const mutant = requestedMutant(call, run?.mutant)
        if (mutant === undefined) return next(call)
        let withheld: Answer | undefined
        const serve = async (own: Call) => {
          withheld = await serveOnCopy(own, mutant, call.serve)
          return withheld === undefined ? call.serve(own) : { ...withheld, effects: [], mails: [] }
        }
        const due = await next({ ...call, serve })
        const altered = applyMutant(call, mutant, due, withheld !== undefined && hasEffect(withheld))
        if (altered !== due) run?.onAltered()
        return altered
      },
    })
  },
  { name: 'mutate' },
)

const UNKNOWN: ProblemKind = { code: 'unknown-mutant', status: 400, title: 'The operation has no such mutant' }

/** @throws {Problem} if the operation has no such mutant */
function requestedMutant({ sandbox, request, contract }: Call, ofRun?: string): Mutant | undefined {
  const { others = {}, places = {} } = request.preferences ?? {}
  const asked = others.mutant
  const ids = [asked ?? [], mutantsAmong(sandbox.playback.active), ofRun ?? []].flat()
  if (ids.length === 0) return undefined
  const own = mutantsOf(contract)
  if (asked !== undefined && !own.some(({ id }) => id === asked)) {
    const message = `${contract.id} has no mutant ${quote(asked)}. 'countersign list mutants' shows them all.`
    const fix = "Name one of the mutants that 'countersign list mutants' shows."
    throw new Problem(UNKNOWN, message, { operation: contract.id }).at(places.mutant ?? '', fix)
  }
  return own.find(({ id }) => ids.includes(id))
}

/** For a mutant that takes an effect away: the operation's answer on a copy of the sandbox, if it leads to the same status. */
async function serveOnCopy(call: Call, mutant: Mutant, serve: Call['serve']): Promise<Answer | undefined> {
  if (mutant.effect !== 'none') return undefined
  const query = mutant.query?.(call.query) ?? call.query
  const tried = await serve({ ...call, sandbox: call.sandbox.copy(), query })
  return tried.status === mutant.status ? tried : undefined
}

/** A provider's answer is altered as well, but not what it does. */
function applyMutant(call: Call, mutant: Mutant, answer: Answer, losesEffect: boolean): Answer {
  const { contract, query, request } = call
  const { passedOn } = answer
  if (mutant.status !== answer.status || answer.offContract) return answer
  const isOwn = !isForced(answer.cause) && passedOn === undefined
  if (mutant.query !== undefined && !isOwn) return answer
  const due = passedOn === undefined ? answer : { ...answer, body: jsonOr(passedOn.text ?? '', undefined) }
  const sent = { ...query, ...request.form, ...request.params }
  const { status, body } = mutant.alter(due, { contract, sent })
  const isAltered = status !== due.status || JSON.stringify(body) !== JSON.stringify(due.body)
  if (!isAltered && !(losesEffect && isOwn)) return answer
  const altered = withLinks(body, call)
  return {
    ...due,
    status,
    body: altered,
    passedOn: undefined,
    offContract: true,
    why: `altered by the mutant ${mutant.id}`,
    deviations: checkBody(contract, status, altered, true),
    declaredStatus: due.status,
  }
}
