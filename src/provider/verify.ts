import { type Contract, isRead } from '../../schemas/contract.js'
import type { Readings } from '../../schemas/readings.js'
import { type Request, withoutParameter } from './calls/call.js'
import { Client, Unavailable } from './calls/client.js'
import type { Answer } from './calls/send.js'
import { type DataFile, Values } from './calls/values.js'
import type { Check, Need } from './checks/check.js'
import { checksOf } from './checks/every-contract/index.js'
import { harmless } from './checks/every-contract/refusal.js'
import { Findings } from './checks/findings.js'
import { operationChecks } from './checks/index.js'
import { attachmentsIn } from './checks/search-protected-attachments.js'
import { isSuccess, member, type Session, send } from './checks/session.js'
import { compareLessons, lessonsFrom } from './readings/index.js'
import type { Lesson } from './readings/lesson.js'
import { recognize } from './recognize.js'
import type { Target } from './target.js'

export interface LookOptions {
  readonly data?: DataFile
  readonly allowWrites?: boolean
  /** Resolves when the user wants no more: what is begun is ended, and put back. */
  readonly stopped?: Promise<void> | undefined
}

/** What came of looking at a provider. */
export interface Verification {
  readonly findings: Findings
  /** What was looked at. */
  readonly contracts: readonly Contract[]
  /** Why the service, or some of its operations, could not be judged. */
  readonly unavailable: readonly string[]
  /** What the provider shows of the switches. */
  readonly lessons: readonly Lesson[]
}

/** Looks at a provider with the contracts under the readings in force. */
export async function verifyProvider(
  readings: Readings,
  contracts: readonly Contract[],
  target: Target,
  options: LookOptions = {},
): Promise<Verification> {
  const { session, unavailable } = await openSession(contracts, target, options)
  let lessons: readonly Lesson[] = []
  if (unavailable.length === 0) {
    const stop = stopBy(options.stopped)
    await runChecks(session, unavailable, stop)
    if (stop.asked) unavailable.push(STOPPED)
    else lessons = await lessonsFrom(session)
    compareLessons(session, lessons, readings)
  }
  return { findings: session.findings, contracts, unavailable, lessons }
}

/** A session with a provider that has shown that it is one. */
async function openSession(
  contracts: readonly Contract[],
  target: Target,
  { data, allowWrites = false }: LookOptions,
): Promise<{ readonly session: Session; readonly unavailable: string[] }> {
  const values = new Values(data, allowWrites)
  const shown = new Set<string>()
  const session: Session = {
    contracts,
    client: new Client(target),
    values,
    findings: new Findings(),
    allowWrites,
    hasSecondToken: target.tokenWithoutPermission !== undefined,
    isKnown: (contract) => values.isGiven(contract) || session.isDefault(contract),
    isDefault: (contract) => !values.isGiven(contract) && (isRead(contract) ? shown.has(contract.id) : shown.size > 0),
  }
  try {
    await recognize(session)
    await requireToken(session)
    for (const id of await operationsWithExamples(session)) shown.add(id)
    return { session, unavailable: [] }
  } catch (error) {
    if (error instanceof Unavailable) return { session, unavailable: [error.message] }
    throw error
  }
}

/**
 * The reads that find what the examples of the contracts name: a provider where some do holds the default world, as a
 * second countersign does, and then what a write names is there as well.
 */
async function operationsWithExamples(session: Session): Promise<readonly string[]> {
  const found: string[] = []
  for (const contract of session.contracts.filter(isRead)) {
    if (session.values.isGiven(contract)) continue
    const answer = await unlessUnavailable(send(session, contract))
    if (answer === undefined || !isSuccess(answer)) continue
    const isThere =
      member(answer.body, 'document') !== undefined ||
      attachmentsIn(answer).length > 0 ||
      Number(member(answer.body, 'total')) > 0
    if (isThere) found.push(contract.id)
  }
  return found
}

/** That the token which was given is not accepted: nothing that a call shows then is about the call. */
export class TokenRefused extends Error {}

/** @throws {TokenRefused} where every operation says so */
async function requireToken(session: Session): Promise<void> {
  const answers: Answer[] = []
  for (const contract of session.contracts) {
    const answer = await unlessUnavailable(
      send(session, contract, (complete) => harmlessly(session, contract, complete)),
    )
    if (answer !== undefined) answers.push(answer)
  }
  if (answers.length === 0 || answers.some(({ status }) => status !== 401)) return
  throw new TokenRefused(
    'The provider does not accept the token: every call with it is answered with 401. Pass a valid one with --token.',
  )
}

/** A read as it is; of a write, a call that surely is refused. */
function harmlessly(session: Session, contract: Contract, complete: Request): Request {
  if (isRead(contract)) return complete
  const [first = ''] = contract.query.required ?? []
  return withoutParameter(harmless(session, contract, first).request, first)
}

async function unlessUnavailable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Unavailable) return undefined
    throw error
  }
}

const WHY_NOT: Readonly<Record<Need, string>> = {
  writes: 'It needs --allow-writes.',
  'a second token': 'It needs the token of a user without the permission: --token-without-permission.',
}

const STOPPED = 'The run was stopped before everything was checked.'

interface Stop {
  readonly asked: boolean
}

function stopBy(stopped: Promise<void> | undefined): Stop {
  const stop = { asked: false }
  void stopped?.then(() => {
    stop.asked = true
  })
  return stop
}

async function runChecks(session: Session, unavailable: string[], stop: Stop): Promise<void> {
  for (const contract of session.contracts) {
    const own = (operationChecks as Readonly<Record<string, readonly Check[]>>)[contract.id] ?? []
    for (const check of [...checksOf(contract), ...own]) {
      const { cites, needs } = check
      if (stop.asked) return
      if (needs !== undefined && !has(session, needs)) {
        session.findings.unchecked(cites, contract.id, WHY_NOT[needs])
        continue
      }
      try {
        await check.run(session, contract)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        session.findings.unchecked(cites, contract.id, error.message)
        if (!unavailable.includes(error.message)) unavailable.push(error.message)
        if (error.wholly) return
      }
    }
  }
}

function has({ allowWrites, hasSecondToken }: Session, need: Need): boolean {
  return need === 'writes' ? allowWrites : hasSecondToken
}
