import { type Contract, fillPath, isRead } from '../../schemas/contract.js'
import { statusIsOpen } from '../../schemas/readings.js'
import { quote } from '../text/wording.js'
import { checkAnswer } from '../validation/deviations.js'
import type { Deviation } from '../validation/violation.js'
import { Unavailable } from './calls/client.js'
import type { Answer } from './calls/send.js'
import { isSuccess, type Session, send } from './checks/session.js'

/**
 * Makes sure that what answers is this API, before anything is said of it: each operation is called without a token, and
 * where no answer is the API's, each read with it.
 * @throws {Unavailable} for another service, or an address that is not the API's
 */
export async function recognize(session: Session): Promise<void> {
  const answers: Answer[] = []
  for (const contract of session.contracts) {
    try {
      answers.push(await send(session, contract, undefined, { token: null }))
    } catch (error) {
      // Another operation may be available.
      if (!(error instanceof Unavailable) || error.wholly) throw error
    }
  }
  if (answers.length === 0 || answers.some(isOfThisApi) || (await answersAsDocumented(session))) return
  throw new Unavailable(whatElse(session, answers), true)
}

/** Whether an answer is one that this API may give to a call without a token. */
function isOfThisApi(answer: Answer): boolean {
  const { status, call, body } = answer
  if (status === 401) return true
  if (body === undefined || status === 404 || status === 405) return false
  // Nothing else would answer so; where the document shows no field, anything might.
  if (isSuccess(answer)) return statusIsOpen(call.contract) && checkAnswer(call.contract, answer).every(isReading)
  return status >= 400
}

/** Whether some read is answered as the document shows it: a provider that takes calls without a token is one all the same. */
async function answersAsDocumented(session: Session): Promise<boolean> {
  for (const contract of session.contracts.filter(isRead)) {
    try {
      const answer = await send(session, contract)
      if (isSuccess(answer) && checkAnswer(contract, answer).every(isReading)) return true
    } catch (error) {
      if (!(error instanceof Unavailable) || error.wholly) throw error
    }
  }
  return false
}

const isReading = ({ basis }: Deviation) => basis === 'reading'

const CORRECT = 'Check that --target is the base URL of the service.'

/** What answers instead of this API. */
function whatElse(session: Session, answers: readonly Answer[]): string {
  const [{ call, status, contentType }] = answers as [Answer, ...Answer[]]
  const moved = answers.find(({ status, location }) => status >= 300 && status < 400 && location !== null)
  if (moved !== undefined) return movedTo(session, moved)
  if (answers.every((one) => one.body === undefined)) {
    const type = contentType === '' ? 'nothing' : quote(contentType)
    return `The server at --target is not this API: it answers with ${status} and ${type}, not with JSON. ${CORRECT}`
  }
  const alike = answers.every((one) => one.status === status)
  const answered = alike
    ? `every operation is answered with ${status}`
    : `${call.contract.id} is answered with ${status}`
  return `The server at --target is not this API: ${answered}. ${CORRECT}`
}

/** Redirects are not followed: the address that they lead to, without what the operation adds to it. */
function movedTo(session: Session, { call, status, location }: Answer): string {
  const said = location ?? ''
  const base = baseOf(said, call.contract, call.params)
  if (base === undefined)
    return `--target redirects (${status}) to ${quote(said)}, which is not a URL of this API. ${CORRECT}`
  // What is told without a slash at its end is asked for without one.
  const same = session.client.isTarget(base)
  if (same)
    return `--target redirects (${status}) each operation to a different URL, such as ${quote(said)}: its paths differ from those in the document. ${CORRECT}`
  return `--target redirects (${status}). Use the URL that it leads to: --target ${base}`
}

/** The base address of an operation's address; undefined where it does not end as the operation's path does. */
function baseOf(location: string, contract: Contract, params: Readonly<Record<string, string>>): string | undefined {
  const [address = ''] = location.split(/[?#]/)
  const path = fillPath(contract, (name) => params[name] ?? '')
  const plain = address.replace(/\/$/, '')
  return plain.endsWith(path) && plain.includes('://') ? plain.slice(0, -path.length) : undefined
}
