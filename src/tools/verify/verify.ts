import type { TSchema } from '@sinclair/typebox'
import { type Api, applySwitches, contractsOf } from '../../engine/api.js'
import { type Contract, fillPath, isReadOnly, successStatusOf } from '../../engine/contract/contract.js'
import { bodySchema } from '../../engine/contract/envelopes.js'
import { valueAt } from '../../engine/contract/json.js'
import type { SwitchValues } from '../../engine/contract/switches.js'
import { quote } from '../../engine/contract/wording.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import { checkAnswer } from '../../engine/judge/deviations.js'
import { applyChanges, type DataFile, TestData, type Token, tokenFor } from './calls.js'
import type { VerifyDefinition } from './definition.js'
import { genericChecks, safeCall } from './generic-checks.js'
import { SwitchComparer } from './interpretations/compare.js'
import { judgeBody } from './judge-body.js'
import { type ReceivedAnswer, Sender, type Target, Unavailable } from './sender.js'
import { Session } from './session.js'
import { type OperationCheck, TestedOperation } from './tested-operation.js'

interface Verification {
  readonly api: Api
  readonly definition: VerifyDefinition
  readonly switches: SwitchValues
  readonly only?: readonly string[] | undefined
  readonly target: Target
  readonly data: DataFile
  readonly allowWrites: boolean
  /** Once it resolves, the current check only restores what it changed. */
  readonly stopped?: Promise<unknown> | undefined
}

/** @throws {InvalidOption} if no operation accepts the token */
export async function verifyProvider(verification: Verification): Promise<Session> {
  const { api, definition, switches, only, target, data, allowWrites, stopped } = verification
  const contracts = contractsOf(applySwitches(api, switches)).filter(({ id }) => only?.includes(id) ?? true)
  const testData = new TestData(data, api.sampleFiles, allowWrites)
  const session = new Session(api, definition, contracts, new Sender(target), testData, allowWrites)
  const { sender, unavailable } = session
  let isStopped = false
  void stopped?.then(() => {
    isStopped = true
  })
  try {
    await identifyProvider(session)
    for (const contract of contracts) {
      const { checks = [] } = definition.operations[contract.id] ?? {}
      for (const check of [...genericChecks(contract), ...checks]) if (!isStopped) await run(check, contract, session)
      const operation = new TestedOperation(contract, session)
      const answers = sender.answersOf(contract)
      for (const answer of answers) judgeBody(operation, answer)
      for (const { observe } of Object.values(definition.switches)) observe?.(operation, answers)
    }
    if (isStopped) unavailable.add('The run was stopped before everything was checked.')
    else session.switches = new SwitchComparer(session, definition).compareAll(switches)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    unavailable.add(error.message)
  }
  if (sender.instability !== undefined) unavailable.add(sender.instability)
  return session
}

/** @throws {Unavailable} if nothing can be judged */
async function run(check: OperationCheck, contract: Contract, session: Session): Promise<void> {
  const { cites, needs, records: source } = check
  const operation = new TestedOperation(contract, session, cites)
  if (needs === 'writes' && !session.allowWrites)
    return operation.reportMissingOption('This check needs --allow-writes.')
  try {
    const records = (await source?.find(operation)) ?? []
    if (source !== undefined && records.length === 0) {
      const isUnread = session.sender.answersOf(contract).some(({ ok, body }) => ok && body === undefined)
      return operation.reportUnchecked(isUnread ? 'An answer cannot be read, so it shows no records.' : source.ifNone)
    }
    await check.run(operation, records)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    operation.reportUnchecked(error.message)
    session.unavailable.add(error.message)
    if (error.endsRun) throw error
  }
}

/** Also notes which operations show records. @throws {Unavailable} for another service @throws {InvalidOption} for a bad token */
async function identifyProvider(session: Session): Promise<void> {
  const anonymous = await collectAnswers(session, (operation) => operation.send({}, { token: null }))
  const answers = await collectAnswers(session, harmlessCall('user'))
  const reads = answers.filter(({ call, ok }) => isReadOnly(call.contract) && ok)
  const isAsDocumented = (answer: ReceivedAnswer) =>
    checkAnswer(answer.call.contract, answer).every(({ basis }) => basis === 'interpretation')
  if (!anonymous.some(isErrorOfApi) && !reads.some(isAsDocumented))
    throw new Unavailable(describeOtherService(session, anonymous), true)
  requireAccepted(answers, '--token')
  const needsPermission = ({ permission }: Contract) => permission !== undefined
  if (session.sender.target.tokenWithoutPermission !== undefined && session.contracts.some(needsPermission)) {
    const send = harmlessCall('without permission')
    const isTried = ({ contract }: TestedOperation) => isReadOnly(contract) || needsPermission(contract)
    const others = await collectAnswers(session, async (one) => (isTried(one) ? send(one) : undefined))
    requireAccepted(others, '--token-without-permission')
  }
  for (const answer of reads) {
    const { contract } = answer.call
    if (showsRecords(answer) && !session.data.hasDataFor(contract)) session.operationsWithRecords.add(contract.id)
  }
}

function requireAccepted(answers: readonly ReceivedAnswer[], option: string): void {
  if (answers.length === 0 || answers.some(({ status }) => status !== 401)) return
  throw new InvalidOption(
    `The provider does not accept the token: every call with it is answered with 401. Pass a valid one with ${option}.`,
  )
}

/** Omits a required parameter of writes, so that they change nothing. */
const harmlessCall =
  (kind: Token['kind']) =>
  async (operation: TestedOperation): Promise<ReceivedAnswer | undefined> => {
    const { contract } = operation
    const token = tokenFor(contract, kind)
    if (isReadOnly(contract)) return operation.send({}, { token })
    const [first] = contract.query.required ?? []
    if (first === undefined) return undefined
    const values = applyChanges(safeCall(operation, first).values, { query: { [first]: undefined } })
    return operation.sendCall(values, { token })
  }

/** @throws {Unavailable} if no operation answers */
async function collectAnswers(session: Session, send: ReturnType<typeof harmlessCall>) {
  const answers: ReceivedAnswer[] = []
  let failure: Unavailable | undefined
  for (const contract of session.contracts) {
    try {
      const answer = await send(new TestedOperation(contract, session))
      if (answer) answers.push(answer)
    } catch (error) {
      if (!(error instanceof Unavailable) || error.endsRun) throw error
      failure ??= error
    }
  }
  if (answers.length === 0 && failure !== undefined) throw failure
  return answers
}

/** Other services may answer with 404 or 405, too. */
function isErrorOfApi({ status, body }: ReceivedAnswer): boolean {
  return status === 401 || (body !== undefined && status >= 400 && status !== 404 && status !== 405)
}

function showsRecords({ call: { contract }, body }: ReceivedAnswer): boolean {
  const { properties = {} } = bodySchema(contract, successStatusOf(contract)) as TSchema
  const containers = Object.keys(properties).filter((name) => ['object', 'array'].includes(properties[name].type))
  const hasContent = containers.some((name) => Object.keys(Object(valueAt(body, name))).length > 0)
  return hasContent || Number(valueAt(body, contract.paging?.total ?? '')) > 0
}

function describeOtherService({ sender }: Session, answers: readonly ReceivedAnswer[]): string {
  const redirect = answers.find((answer) => answer.location !== '')
  const { call, status, contentType, location } = redirect ?? (answers[0] as ReceivedAnswer)
  const path = fillPath(call.contract, (name) => call.params[name] ?? '')
  const address = location.replace(/\/?([?#].*)?$/, '')
  const base = address.slice(0, -path.length)
  if (address.endsWith(path) && base !== sender.target.url)
    return `--target redirects (${status}). Use the URL that it leads to: --target ${base}`
  const type = contentType === '' ? 'no Content-Type' : quote(contentType)
  const content = redirect === undefined ? type : `a redirect to ${quote(location)}`
  return `The server at --target is not this API: it answers with ${status} and ${content}. Check that --target is the base URL of the service.`
}
