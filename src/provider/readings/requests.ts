import { type Contract, isRead, needsUserType } from '../../../schemas/contract.js'
import { MISSING_USER_TYPE } from '../../../schemas/readings.js'
import { withoutParameter } from '../calls/call.js'
import type { Answer } from '../calls/send.js'
import { attachmentsIn, knownKeyword, search } from '../checks/search-protected-attachments.js'
import { isRefusal, isSuccess, items, member, type Session, send } from '../checks/session.js'
import { isNamed, waysOf } from '../checks/verify-document.js'
import { decided, type Evidence, type Learner, ofOperation, undecided } from './lesson.js'
import { evidenceOf } from './shown.js'
import { isUsual, valueFrom } from './value.js'

/** What a missing user type is answered with, where that is for certain what was refused. */
const missingUserType: Learner = {
  name: 'missingUserType',
  learn: async (session) => {
    const evidence: Evidence[] = []
    for (const contract of session.contracts) {
      if (!needsUserType(contract) || !(session.allowWrites || isRead(contract))) continue
      const answer = await send(session, contract, (complete) => withoutParameter(complete, 'user_type'))
      if (isRefusal(answer)) evidence.push(evidenceOf(answer, answer.status))
    }
    if (evidence.length === 0) return undecided('No operation refused a call without it.')
    if (valueFrom('missingUserType', evidence) !== undefined || isUsual(evidence)) return decided(...evidence)
    const values = [...new Set(evidence.map(({ value }) => value))]
    return undecided(
      `Operations answer with ${values.join(', ')}, but the switch takes only one of ${MISSING_USER_TYPE.join(', ')} for all of them.`,
    )
  },
}

const UNKNOWN = 'No data that could show it is known there.'

/** A learner for which one call decides. */
function byCall(
  name: Learner['name'],
  operation: string,
  ask: (session: Session, contract: Contract) => Promise<Answer>,
  read: (answer: Answer, contract: Contract) => unknown,
  ready: (session: Session, contract: Contract) => Promise<boolean>,
): Learner {
  return ofOperation(operation, name, async (session, contract) => {
    if (!(await ready(session, contract))) return undecided(UNKNOWN)
    const answer = await ask(session, contract)
    const value = read(answer, contract)
    if (value === undefined) return undecided(`The answer is ${answer.status}, which is not one of its values.`)
    return decided(evidenceOf(answer, value))
  })
}

const succeeds = async (session: Session, contract: Contract) => isSuccess(await send(session, contract))
const found = async (session: Session, contract: Contract) => {
  const answer = await send(session, contract)
  return isSuccess(answer) && attachmentsIn(answer).length > 0
}

const history = (change: Readonly<Record<string, string>>) => (session: Session, contract: Contract) =>
  send(session, contract, (complete) => ({ ...complete, query: { ...complete.query, ...change } }))

const refusedOr =
  (other: unknown) =>
  (answer: Answer, { invalid }: Contract) =>
    isSuccess(answer) ? other : answer.status === invalid ? 'invalid' : undefined

/** A document by its code or, where the user named none, by its file. */
function knownWay(session: Session, contract: Contract) {
  return waysOf(session, contract)[isNamed(session, contract, 'code') ? 'code' : 'file']
}

/** What an empty text is: in the form of a signature where one may be left there, else in the query of credit histories. */
const emptyFields: Learner = {
  name: 'emptyFields',
  learn: async (session) => {
    const contractOf = (id: string) => session.contracts.find((one) => one.id === id)
    const [upload, histories] = [contractOf('uploadSignature'), contractOf('listCreditHistories')]
    if (session.allowWrites && upload !== undefined) {
      const answer = await emptySource(session, upload)
      const value = refusedOr('absent')(answer, upload)
      if (value !== undefined) return decided(evidenceOf(answer, value))
    }
    if (histories === undefined)
      return undecided('Its operations, uploadSignature and listCreditHistories, were not chosen.')
    const answers = [await history({ sort: '' })(session, histories), await history({ order: '' })(session, histories)]
    const values = answers.map((answer) => refusedOr('absent')(answer, histories))
    const [first] = values
    if (!(await succeeds(session, histories)) || first === undefined || values.some((value) => value !== first))
      return undecided('Empty texts are not all treated in the same way.')
    return decided(evidenceOf(answers[0] as Answer, first))
  },
}

async function emptySource(session: Session, contract: Contract): Promise<Answer> {
  const answer = await send(session, contract, (complete) => ({ ...complete, form: { ...complete.form, source: '' } }))
  if (isSuccess(answer)) session.findings.leaves('a signature with an empty source')
  return answer
}

export const requestLearners: readonly Learner[] = [
  missingUserType,
  ofOperation('searchProtectedAttachments', 'keywordMatch', async (session, contract) => {
    const [known, none] = [knownKeyword(session, contract), session.values.nonsense]
    if (!(await found(session, contract))) return undecided(UNKNOWN)
    const narrowed = await search(session, contract, [known, none])
    if (attachmentsIn(narrowed).length === 0) return decided(evidenceOf(narrowed, 'all'))
    const widened = await search(session, contract, [none, known])
    if (attachmentsIn(widened).length > 0) return decided(evidenceOf(narrowed, 'any'))
    return undecided('A second keyword changes nothing.')
  }),
  ofOperation('searchProtectedAttachments', 'attachmentStatus', async (session, contract) => {
    const answer = await send(session, contract)
    const found = isSuccess(answer) ? attachmentsIn(answer) : []
    if (found.length === 0) return undecided(UNKNOWN)
    if (found.some((one) => member(one, 'status') !== 'protected')) return decided(evidenceOf(answer, 'any'))
    return undecided('All attachments that were found are protected.')
  }),
  byCall(
    'emptyKeyword',
    'searchProtectedAttachments',
    (session, contract) => search(session, contract, [knownKeyword(session, contract), '']),
    refusedOr('ignore'),
    found,
  ),
  byCall('unknownSort', 'listCreditHistories', history({ sort: 'countersign' }), refusedOr('ignore'), succeeds),
  byCall(
    'unknownOrganization',
    'listCreditHistories',
    (session, contract) =>
      send(session, contract, (complete) => {
        const { organization_uuid = '' } = complete.query
        return {
          ...complete,
          query: { ...complete.query, organization_uuid: session.values.unknownLike(organization_uuid) },
        }
      }),
    (answer) => {
      if (isSuccess(answer)) return items(member(answer.body, 'histories')).length === 0 ? 'empty' : undefined
      return answer.status === 400 || answer.status === 404 ? answer.status : undefined
    },
    succeeds,
  ),
  emptyFields,
  byCall(
    'verifyScope',
    'verifyDocument',
    (session, contract) => {
      const known = knownWay(session, contract)
      const { user_uuid = '' } = known.form ?? {}
      const other = session.values.unknownLike(String(user_uuid))
      return send(session, contract, () => ({ ...known, form: { ...known.form, user_uuid: other } }))
    },
    (answer) => (isSuccess(answer) ? 'anyone' : answer.status === 404 ? 'owner' : undefined),
    async (session, contract) => isSuccess(await send(session, contract, () => knownWay(session, contract))),
  ),
]
