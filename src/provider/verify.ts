import { type Contract, fillPath, isRead } from '../../schemas/contract.js'
import type { OperationId } from '../../schemas/contracts.js'
import { type Switches, statusIsOpen } from '../../schemas/switches.js'
import { quote } from '../text/wording.js'
import { checkAnswer } from '../validation/deviations.js'
import { changed, type DataFile, Values } from './calls.js'
import type { Check, Need } from './checks/check.js'
import { everyContract, harmless } from './checks/every-contract.js'
import { listCreditHistories } from './checks/list-credit-histories.js'
import { attachmentsIn, searchProtectedAttachments } from './checks/search-protected-attachments.js'
import { updateSubOrganizationMember } from './checks/update-sub-organization-member.js'
import { verifyDocument } from './checks/verify-document.js'
import { addOrganizationMember, createSigningLink, uploadSignature } from './checks/writes.js'
import { compareInterpretations, type SwitchResult } from './interpretations/compare.js'
import { type Answer, Sender, type Target, Unavailable } from './sender.js'
import { type AdditionalField, type Finding, isSuccess, member, Operation, Session } from './session.js'

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

/** What the document says of one operation alone. */
const OWN_CHECKS: Readonly<Record<OperationId, readonly Check[]>> = {
  uploadSignature,
  updateSubOrganizationMember,
  verifyDocument,
  searchProtectedAttachments,
  listCreditHistories,
  addOrganizationMember,
  createSigningLink,
}

/**
 * Compares a provider with the contracts, under the interpretations in force.
 * @throws {TokenRefused} where every operation refuses the token
 */
export async function verifyProvider(
  inForce: Switches,
  contracts: readonly Contract[],
  target: Target,
  { data = {}, allowWrites = false, stopped }: VerifyOptions = {},
): Promise<Verification> {
  const session = new Session(contracts, new Sender(target), new Values(data, allowWrites), allowWrites)
  const unavailable = new Set<string>()
  let switches: readonly SwitchResult[] = []
  let isStopped = false
  void stopped?.then(() => {
    isStopped = true
  })
  const lacks: Readonly<Record<Need, string | false>> = {
    writes: !allowWrites && 'It needs --allow-writes.',
    'a second token':
      target.tokenWithoutPermission === undefined &&
      'It needs the token of a user without the permission: --token-without-permission.',
  }
  try {
    await recognize(session)
    const all = contracts.flatMap((contract) => {
      const checks = [...everyContract(contract), ...(OWN_CHECKS[contract.id as OperationId] ?? [])]
      return checks.map((check) => ({ on: new Operation(contract, session), check }))
    })
    for (const { on, check } of all) {
      if (isStopped) break
      const lack = check.needs !== undefined && lacks[check.needs]
      if (lack) on.unchecked(check.cites, lack)
      else
        await check.run(on, check.cites).catch((error) => {
          if (!(error instanceof Unavailable)) throw error
          on.unchecked(check.cites, error.message)
          unavailable.add(error.message)
          if (error.wholly) throw error
        })
    }
    if (isStopped) unavailable.add('The run was stopped before everything was checked.')
    else switches = compareInterpretations(session, inForce)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    unavailable.add(error.message)
  }
  return {
    findings: [...session.findings.values()],
    additional: [...session.additional].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, field]) => field),
    left: [...session.left],
    contracts,
    unavailable: [...unavailable],
    switches,
  }
}

/** Every call with the token is refused, so that no answer says anything about the call. */
export class TokenRefused extends Error {}

/**
 * Makes sure that what answers is this API and takes the token, and notes where the examples of the contracts are known:
 * where some are, the provider holds the default fixtures, as a second countersign does.
 * @throws {Unavailable} for another service, or a base URL that is not the API's
 * @throws {TokenRefused} where every operation refuses the token
 */
async function recognize(session: Session): Promise<void> {
  const anonymous = await answersOf(session, (on) => on.send({}, { token: null }))
  // Of writes, calls that must be refused.
  const own = await answersOf(session, (on) => {
    const [first = ''] = on.contract.query.required ?? []
    return isRead(on.contract)
      ? on.send()
      : on.sendRequest(changed(harmless(on, first).request, { query: { [first]: undefined } }))
  })
  const reads = own.filter((answer) => isRead(answer.call.contract) && isSuccess(answer))
  if (anonymous.length > 0 && !anonymous.some(isOfThisApi) && !reads.some(isAsDocumented))
    throw new Unavailable(whatElse(session, anonymous), true)
  if (own.length > 0 && own.every(({ status }) => status === 401))
    throw new TokenRefused(
      'The provider does not accept the token: every call with it is answered with 401. Pass a valid one with --token.',
    )
  for (const answer of reads) {
    const { call, body } = answer
    const isThere = member(body, 'document') || attachmentsIn(answer).length > 0 || Number(member(body, 'total')) > 0
    if (isThere && !session.values.isGiven(call.contract)) session.withExamples.add(call.contract.id)
  }
}

/** The answers of those operations that give one. */
async function answersOf(session: Session, ask: (on: Operation) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const contract of session.contracts) {
    try {
      answers.push(await ask(new Operation(contract, session)))
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
  return checkAnswer(answer.call.contract, answer).every(({ basis }) => basis === 'interpretation')
}

/** Names what answers in place of this API; redirects are not followed, but the base URL that they lead to is told. */
function whatElse({ sender }: Session, answers: readonly Answer[]): string {
  const correct = 'Check that --target is the base URL of the service.'
  const moved = answers.find(({ status, location }) => status >= 300 && status < 400 && location !== '')
  if (moved === undefined) {
    const { status, contentType } = answers[0] as Answer
    const what = contentType === '' ? 'nothing' : quote(contentType)
    return `The server at --target is not this API: it answers with ${status} and ${what}. ${correct}`
  }
  const { call, location } = moved
  const path = fillPath(call.contract, (name) => call.params[name] ?? '')
  const address = location.replace(/\/?([?#].*)?$/, '')
  const base = address.slice(0, -path.length)
  const redirects = `--target redirects (${moved.status})`
  return address.endsWith(path) && !sender.isTarget(base)
    ? `${redirects}. Use the URL that it leads to: --target ${base}`
    : `${redirects} to ${quote(location)}, which is not a URL of this API. ${correct}`
}
