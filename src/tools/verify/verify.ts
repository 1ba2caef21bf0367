import type { TSchema } from '@sinclair/typebox'
import type { Switches } from '../../api/switches.js'
import { bodySchema } from '../../engine/contract/bodies.js'
import { type Contract, fillPath, isRead, successStatusOf } from '../../engine/contract/contract.js'
import { quote } from '../../engine/contract/wording.js'
import { checkAnswer } from '../../engine/judge/deviations.js'
import { applyChanges, type DataFile, TestData } from './calls.js'
import { everyContract, safeCall } from './every-contract.js'
import { compareAnswers, compareInterpretations } from './interpretations/compare.js'
import { judgeBody } from './judge-body.js'
import { knowledge } from './knowledge.js'
import { type ReceivedAnswer, Sender, type Target, Unavailable } from './sender.js'
import { Session } from './session.js'
import { member, type OperationCheck, TestedOperation } from './tested-operation.js'

/**
 * When `stopped` resolves, the current check still restores what it changed.
 * @throws {TokenUnauthorized} if every operation answers the token with 401
 */
export async function verifyProvider(
  inForce: Switches,
  contracts: readonly Contract[],
  target: Target,
  data: DataFile,
  allowWrites: boolean,
  stopped?: Promise<unknown>,
): Promise<Session> {
  const session = new Session(contracts, new Sender(target), new TestData(data, allowWrites), allowWrites)
  const { unavailable } = session
  let isStopped = false
  void stopped?.then(() => {
    isStopped = true
  })
  const run = async ({ cites, needs, run }: OperationCheck, contract: Contract) => {
    const on = new TestedOperation(contract, session, knowledge[contract.id], cites)
    if (needs === 'writes' && !allowWrites) return on.unchecked('It needs --allow-writes.')
    try {
      await run(on)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      on.unchecked(error.message)
      unavailable.add(error.message)
      if (error.wholly) throw error
    }
  }
  try {
    await recognize(session)
    for (const contract of contracts) {
      const on = new TestedOperation(contract, session, knowledge[contract.id])
      const { checks = [] } = on.own
      for (const check of [...everyContract(contract), ...checks]) if (!isStopped) await run(check, contract)
      for (const answer of session.sender.answersOf(contract)) judgeBody(on, answer)
      compareAnswers(on)
    }
    if (isStopped) unavailable.add('The run was stopped before everything was checked.')
    else session.switches = compareInterpretations(session, inForce)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    unavailable.add(error.message)
  }
  const { instability } = session.sender
  if (instability !== undefined) unavailable.add(instability)
  return session
}

export class TokenUnauthorized extends Error {}

/**
 * Notes which operations know the examples of the contracts: if some do, the provider holds the default fixtures.
 * @throws {Unavailable} for another service, or a base URL that is not the API's
 * @throws {TokenUnauthorized} if every operation answers the token with 401
 */
async function recognize(session: Session): Promise<void> {
  const anonymous = await answersOf(session, (on) => on.send({}, { token: null }))
  const own = await answersOf(session, (on) => {
    if (isRead(on.contract)) return on.send()
    const [first] = on.contract.query.required ?? []
    // A complete call would change something.
    return first && on.sendCall(applyChanges(safeCall(on, first).values, { query: { [first]: undefined } }))
  })
  const reads = own.filter((answer) => isRead(answer.call.contract) && answer.ok)
  const isUnauthorized = ({ status, body }: ReceivedAnswer) =>
    status === 401 || (body !== undefined && status >= 400 && status !== 404 && status !== 405)
  if (!anonymous.some(isUnauthorized) && !reads.some(isAsDocumented))
    throw new Unavailable(describeOther(session, anonymous), true)
  if (own.length > 0 && own.every(({ status }) => status === 401))
    throw new TokenUnauthorized(
      'The provider does not accept the token: every call with it is answered with 401. Pass a valid one with --token.',
    )
  for (const answer of reads) {
    const { contract } = answer.call
    if (showsRecords(answer) && !session.data.isGiven(contract)) session.withExamples.add(contract.id)
  }
}

function showsRecords({ call: { contract }, body }: ReceivedAnswer): boolean {
  const { properties = {} } = bodySchema(contract, successStatusOf(contract)) as TSchema
  const found = Object.keys(properties).filter((name) => ['object', 'array'].includes(properties[name].type))
  const isThere = found.some((name) => Object.keys(Object(member(body, name))).length > 0)
  return isThere || Number(member(body, contract.paging?.total ?? '')) > 0
}

/** @throws {Unavailable} if no operation is available */
async function answersOf(session: Session, ask: (on: TestedOperation) => Promise<ReceivedAnswer> | '' | undefined) {
  const answers: ReceivedAnswer[] = []
  const failures: Unavailable[] = []
  for (const contract of session.contracts) {
    try {
      const answer = await ask(new TestedOperation(contract, session, knowledge[contract.id]))
      if (answer) answers.push(answer)
    } catch (error) {
      if (!(error instanceof Unavailable) || error.wholly) throw error
      failures.push(error)
    }
  }
  if (answers.length === 0 && failures.length > 0) throw failures[0]
  return answers
}

function isAsDocumented(answer: ReceivedAnswer): boolean {
  return checkAnswer(answer.call.contract, answer).every(({ basis }) => basis === 'interpretation')
}

function describeOther({ sender }: Session, answers: readonly ReceivedAnswer[]): string {
  const moved = answers.find(({ location }) => location !== '')
  const { call, status, contentType, location } = moved ?? (answers[0] as ReceivedAnswer)
  const path = fillPath(call.contract, (name) => call.params[name] ?? '')
  const address = location.replace(/\/?([?#].*)?$/, '')
  const base = address.slice(0, -path.length)
  if (address.endsWith(path) && base !== sender.target.url)
    return `--target redirects (${status}). Use the URL that it leads to: --target ${base}`
  const type = contentType === '' ? 'nothing' : quote(contentType)
  const what = moved === undefined ? type : `a redirect to ${quote(location)}`
  return `The server at --target is not this API: it answers with ${status} and ${what}. Check that --target is the base URL of the service.`
}
