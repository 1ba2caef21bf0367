import { type Contract, fillPath, isRead } from '../../schemas/contract.js'
import { type Readings, statusIsOpen } from '../../schemas/readings.js'
import { quote } from '../text/wording.js'
import { checkAnswer } from '../validation/deviations.js'
import { changed, type DataFile, Values } from './calls.js'
import type { Check, Need } from './checks/check.js'
import { checksOf, harmless } from './checks/every-contract.js'
import { operationChecks } from './checks/index.js'
import { attachmentsIn } from './checks/search-protected-attachments.js'
import { compareInterpretations, type SwitchResult } from './interpretations/compare.js'
import { type Answer, Sender, type Target, Unavailable } from './sender.js'
import { type AdditionalField, type Finding, Findings, isSuccess, member, Operation, type Session } from './session.js'

export interface VerifyOptions {
  readonly data?: DataFile
  readonly allowWrites?: boolean
  /** Resolves when the user wants no more: the check that runs is ended, and restores what it changed. */
  readonly stopped?: Promise<void> | undefined
}

export interface Verification {
  readonly findings: readonly Finding[]
  readonly additional: readonly AdditionalField[]
  readonly left: readonly string[]
  readonly contracts: readonly Contract[]
  /** Why the service, or some of its operations, could not be judged. */
  readonly unavailable: readonly string[]
  readonly switches: readonly SwitchResult[]
}

/**
 * Compares a provider with the contracts, under the interpretations in force.
 * @throws {TokenRefused} where every operation refuses the token
 */
export async function verifyProvider(
  inForce: Readings,
  contracts: readonly Contract[],
  target: Target,
  { data = {}, allowWrites = false, stopped }: VerifyOptions = {},
): Promise<Verification> {
  const session: Session = {
    contracts,
    client: new Sender(target),
    values: new Values(data, allowWrites),
    findings: new Findings(),
    allowWrites,
    seen: new Map(),
    withExamples: new Set(),
  }
  const stop = { asked: false }
  void stopped?.then(() => {
    stop.asked = true
  })
  const unavailable = new Set<string>()
  let switches: readonly SwitchResult[] = []
  const lacks: Readonly<Record<Need, string | false>> = {
    writes: !allowWrites && 'It needs --allow-writes.',
    'a second token':
      target.tokenWithoutPermission === undefined &&
      'It needs the token of a user without the permission: --token-without-permission.',
  }
  try {
    await recognize(session)
    await runChecks(session, lacks, unavailable, stop)
    if (stop.asked) unavailable.add('The run was stopped before everything was checked.')
    else switches = await compareInterpretations(session, inForce)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    unavailable.add(error.message)
  }
  const { all, additional, left } = session.findings
  const fields = [...additional].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, field]) => field)
  return { findings: all, additional: fields, left: [...left], contracts, unavailable: [...unavailable], switches }
}

async function runChecks(
  session: Session,
  lacks: Readonly<Record<Need, string | false>>,
  unavailable: Set<string>,
  stop: { readonly asked: boolean },
): Promise<void> {
  for (const contract of session.contracts) {
    const on = new Operation(contract, session)
    const own = (operationChecks as Readonly<Record<string, readonly Check[]>>)[contract.id] ?? []
    for (const check of [...checksOf(contract), ...own]) {
      if (stop.asked) return
      const lack = check.needs !== undefined && lacks[check.needs]
      if (lack) {
        on.unchecked(check.cites, lack)
        continue
      }
      try {
        await check.run(on, check.cites)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        on.unchecked(check.cites, error.message)
        unavailable.add(error.message)
        if (error.wholly) return
      }
    }
  }
}

/** Every call with the token is refused, so that no answer says anything about the call. */
export class TokenRefused extends Error {}

/**
 * Makes sure that what answers is this API and takes the token, and notes where the examples of the contracts are known:
 * where some are, the provider holds the default world, as a second countersign does.
 * @throws {Unavailable} for another service, or a base URL that is not the API's
 * @throws {TokenRefused} where every operation refuses the token
 */
async function recognize(session: Session): Promise<void> {
  const { client, values, withExamples } = session
  const all = session.contracts.map((contract) => new Operation(contract, session))
  const anonymous = await answersOf(all, (on) => on.send({}, { token: null }))
  // Of writes, calls that must be refused.
  const own = await answersOf(all, (on) => {
    const [first = ''] = on.contract.query.required ?? []
    return isRead(on.contract)
      ? on.send()
      : on.sendRequest(changed(harmless(on, first).request, { query: { [first]: undefined } }))
  })
  const reads = own.filter((answer) => isRead(answer.call.contract) && isSuccess(answer))
  if (anonymous.length > 0 && !anonymous.some(isOfThisApi) && !reads.some(isAsDocumented))
    throw new Unavailable(whatElse(client, anonymous), true)
  if (own.length > 0 && own.every(({ status }) => status === 401))
    throw new TokenRefused(
      'The provider does not accept the token: every call with it is answered with 401. Pass a valid one with --token.',
    )
  for (const answer of reads) {
    const { call, body } = answer
    const isThere = member(body, 'document') || attachmentsIn(answer).length > 0 || Number(member(body, 'total')) > 0
    if (isThere && !values.isGiven(call.contract)) withExamples.add(call.contract.id)
  }
}

async function answersOf(all: readonly Operation[], ask: (on: Operation) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const on of all) {
    try {
      answers.push(await ask(on))
    } catch (error) {
      if (!(error instanceof Unavailable) || error.wholly) throw error
    }
  }
  return answers
}

/** Whether this API may answer a call without a token so. */
function isOfThisApi(answer: Answer): boolean {
  const { status, call, body } = answer
  if (status === 401) return true
  if (body === undefined || status === 404 || status === 405) return false
  // Where the document shows no field of a success, anything might answer so.
  return isSuccess(answer) ? statusIsOpen(call.contract) && isAsDocumented(answer) : status >= 400
}

function isAsDocumented(answer: Answer): boolean {
  return checkAnswer(answer.call.contract, answer).every(({ basis }) => basis === 'reading')
}

const CORRECT = 'Check that --target is the base URL of the service.'

function whatElse(client: Sender, answers: readonly Answer[]): string {
  const [{ call, status, contentType }] = answers as [Answer, ...Answer[]]
  const moved = answers.find((one) => one.status >= 300 && one.status < 400 && one.location !== '')
  if (moved !== undefined) return movedTo(client, moved)
  const isAlike = answers.every((one) => one.status === status)
  const what = answers.every(({ body }) => body === undefined)
    ? `it answers with ${status} and ${contentType === '' ? 'nothing' : quote(contentType)}, not with JSON`
    : `${isAlike ? 'every operation' : call.contract.id} is answered with ${status}`
  return `The server at --target is not this API: ${what}. ${CORRECT}`
}

/** Redirects are not followed: names the base URL that they lead to. */
function movedTo(client: Sender, { call, status, location }: Answer): string {
  const [address = ''] = location.split(/[?#]/)
  const path = fillPath(call.contract, (name) => call.params[name] ?? '')
  const plain = address.replace(/\/$/, '')
  const redirects = `--target redirects (${status})`
  if (!plain.endsWith(path)) return `${redirects} to ${quote(location)}, which is not a URL of this API. ${CORRECT}`
  const base = plain.slice(0, -path.length)
  return client.isTarget(base)
    ? `${redirects} each operation to a different URL, such as ${quote(location)}: its paths differ from those in the document. ${CORRECT}`
    : `${redirects}. Use the URL that it leads to: --target ${base}`
}
