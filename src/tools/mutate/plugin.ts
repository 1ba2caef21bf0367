import { type CitableTexts, quoteCitation } from '../../engine/contract/citable-texts.js'
import type { Contract } from '../../engine/contract/contract.js'
import { jsonOr } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import type { Call, Decide, Middleware } from '../../engine/http/operations/call.js'
import { replaceSampleOrigin } from '../../engine/http/operations/declared-answer.js'
import { Problem, type ProblemKind } from '../../engine/http/problems.js'
import { type Answer, isForced, NO_EFFECTS } from '../../engine/journal/exchange.js'
import { checkResponseBody } from '../../engine/judge/deviations.js'
import type { Scenario } from '../../engine/sandbox/scenarios/scenario.js'
import type { EngineSettings } from '../../engine/sandbox/settings.js'
import type { Tool } from '../../engine/tool.js'
import type { Mutant } from './mutant.js'
import { hasEffect, mutantsOf } from './mutants.js'
import { checkExcepted, MutateSettings } from './settings.js'

export interface MutateParts {
  readonly run?: { readonly mutant: string; readonly onAltered: () => void } | undefined
}

/** Alters answers: by preference, by a scenario `mutant:ID`, or in a measured run. */
export const mutateTool = {
  config: { mutate: MutateSettings },
  preferences: {
    mutant: '`mutant=ID`: breaks one sentence of the API document. `countersign list mutants` lists the ids.',
  },
  checkConfig: checkExcepted,
  lists: {
    mutants: {
      description: "the mutants of 'npx countersign mutate', with the statements that each one breaks",
      data: async (contracts) => contracts.flatMap(mutantsOf).map(({ id, cites }) => ({ mutant: id, cites })),
    },
  },
  findScenario: findMutantScenario,
  register(app, _, { run }) {
    const middleware: Middleware = {
      preferences: ['mutant'],
      answer: async (call, next) => {
        const mutant = findMutant(call, run?.mutant)
        if (mutant === undefined) return next(call)
        let copyAnswer: Answer | undefined
        const answerNaturally = async (inner: Call) => {
          copyAnswer = await answerOnCopy(inner, mutant, call.answerNaturally)
          return copyAnswer === undefined ? call.answerNaturally(inner) : { ...copyAnswer, ...NO_EFFECTS }
        }
        const unaltered = await next({ ...call, answerNaturally })
        const altered = applyMutant(call, mutant, unaltered, copyAnswer !== undefined && hasEffect(copyAnswer))
        if (altered !== unaltered) run?.onAltered()
        return altered
      },
    }
    app.answerWith(middleware, run === undefined ? 'onDemand' : 'always')
  },
} as const satisfies Tool<EngineSettings, MutateParts>

const PREFIX = 'mutant:'

function mutantIdsIn(scenarios: readonly string[]): string[] {
  return scenarios.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length))
}

/** `mutant:ID`: a scenario without rules that no list shows. */
function findMutantScenario(name: string, contracts: readonly Contract[], texts: CitableTexts): Scenario | undefined {
  const [id] = mutantIdsIn([name])
  const contract = id === undefined ? undefined : contracts.find((one) => id.startsWith(`${one.id}:`))
  const mutant = contract && mutantsOf(contract).find((one) => one.id === id)
  if (mutant === undefined) return undefined
  const { outcome, place, operator, cites } = mutant
  const description = `Alters an answer: ${outcome}, ${place}, ${operator}. ${quoteCitation(texts, cites[0])}`
  return { name, source: 'shipped', description, rules: [] }
}

const UNKNOWN: ProblemKind = { code: 'unknown-mutant', status: 400, title: 'The operation has no such mutant' }

/** @throws {Problem} if the operation has no such mutant */
function findMutant({ sandbox, request, contract }: Call, idOfRun?: string): Mutant | undefined {
  const { toolPreferences = {}, sentIn = {} } = request.preferences ?? {}
  const preferred = toolPreferences.mutant
  const ids = [preferred ?? [], mutantIdsIn(sandbox.player.active), idOfRun ?? []].flat()
  if (ids.length === 0) return undefined
  const mutants = mutantsOf(contract)
  if (preferred !== undefined && !mutants.some(({ id }) => id === preferred)) {
    const message = `${contract.id} has no mutant ${quote(preferred)}. 'npx countersign list mutants' shows them all.`
    const fix = "Choose one of the mutants that 'npx countersign list mutants' shows."
    throw new Problem(UNKNOWN, message, { operation: contract.id }).withViolation(sentIn.mutant ?? '', fix)
  }
  return mutants.find(({ id }) => ids.includes(id))
}

/** Answers on a copy of the sandbox, so that the effect is lost. */
async function answerOnCopy(call: Call, mutant: Mutant, answer: Decide): Promise<Answer | undefined> {
  if (mutant.effect !== 'none') return undefined
  const query = mutant.query?.(call.query) ?? call.query
  const copied = await answer({ ...call, sandbox: call.sandbox.copy(), query })
  return 'status' in copied && copied.status === mutant.status ? copied : undefined
}

/** Alters a provider's answer, too, but never the call that the provider receives. */
function applyMutant(call: Call, mutant: Mutant, answer: Answer, losesEffect: boolean): Answer {
  if (answer.kind === 'fault' || answer.kind === 'problem' || answer.status !== mutant.status) return answer
  if (answer.kind === 'scripted' && answer.offContract) return answer
  const isNatural = answer.kind !== 'forwarded' && !isForced(answer.cause)
  if (mutant.query !== undefined && !isNatural) return answer
  const { contract, query, request } = call
  const unalteredBody = answer.kind === 'forwarded' ? jsonOr(answer.text ?? '', undefined) : answer.body
  const sent = { ...query, ...request.form, ...request.params }
  const altered = mutant.alter({ status: answer.status, body: unalteredBody }, { contract, sent })
  const { status } = altered
  const isAltered = status !== answer.status || JSON.stringify(altered.body) !== JSON.stringify(unalteredBody)
  if (!isAltered && !(losesEffect && isNatural)) return answer
  const { step, violations, effects, mails, appliedRule } = answer
  const forcedBy = request.preferences?.toolPreferences.mutant === mutant.id ? 'prefer' : `scenario:mutant:${mutant.id}`
  const cause = answer.cause === 'natural' ? forcedBy : answer.cause
  const decision = { step, cause, violations, effects, mails, appliedRule, why: `altered by the mutant ${mutant.id}` }
  const body = replaceSampleOrigin(altered.body, call)
  // The headers of a provider describe its unaltered body.
  const headers = answer.kind === 'scripted' ? answer.headers : {}
  const deviations = checkResponseBody(contract, status, body, true)
  return { ...decision, kind: 'scripted', status, body, headers, deviations, offContract: true }
}
