import { type Contract, isRead, needsUserType } from '../../../schemas/contract.js'
import type { OperationId } from '../../../schemas/contracts.js'
import type { SwitchName } from '../../../schemas/interpretations.js'
import { errorsAreOpen, MISSING_USER_TYPE, statusIsOpen, wordsOf } from '../../../schemas/readings.js'
import { isObject } from '../../text/json.js'
import { linksIn } from '../../validation/deviations.js'
import { attachmentsIn, knownKeyword, search } from '../checks/search-protected-attachments.js'
import { memberIn, putBack, update } from '../checks/update-sub-organization-member.js'
import { formOf } from '../checks/verify-document.js'
import { createLink, invite, ORGANIZATION } from '../checks/writes.js'
import type { Answer } from '../client.js'
import { isSuccess, items, member, Operation, type Session } from '../session.js'
import { errorShape, linkTemplate } from './template-of.js'
import { isApiWord, shapeText } from './words.js'

/** An answer that shows the value of a switch: its status and shape, and never its data. */
export interface Evidence {
  readonly operation: string
  readonly value: unknown
  /** Such as `404 {error: {code: integer, message: text}}`. */
  readonly shown: string
}

/** What shows the value of a switch, or why nothing does. */
type Observed = readonly Evidence[] | string

/** How the value of a switch is found out. */
interface Observation {
  readonly name: SwitchName
  readonly needs?: 'writes' | undefined
  readonly observe: (session: Session) => Promise<Observed>
}

const UNKNOWN = 'No data that could show it is known there.'

function shows({ status, body, call }: Answer, value: unknown): readonly Evidence[] {
  return [
    { operation: call.contract.id, value, shown: body === undefined ? `${status}` : `${status} ${shapeText(body)}` },
  ]
}

/** One answer as evidence, if some value of the switch gives it. */
function decidedBy(answer: Answer, value: unknown): Observed {
  return value === undefined ? `The answer is ${answer.status}, which is not one of its values.` : shows(answer, value)
}

function inOperation(
  name: SwitchName,
  id: OperationId,
  observe: (on: Operation) => Promise<Observed>,
  needs?: 'writes',
): Observation {
  const inSession = async (session: Session) => {
    const contract = session.contracts.find((one) => one.id === id)
    if (contract === undefined) return `Its operation, ${id}, was not chosen.`
    return observe(new Operation(contract, session))
  }
  return { name, needs, observe: inSession }
}

/** A switch that one call to the credit histories shows, where the complete one succeeds. */
function inHistories(
  name: SwitchName,
  query: (on: Operation) => Readonly<Record<string, string>>,
  valueIn: (answer: Answer, contract: Contract) => unknown,
): Observation {
  return inOperation(name, 'listCreditHistories', async (on) => {
    if (!isSuccess(await on.send())) return UNKNOWN
    const answer = await on.send({ query: query(on) })
    return decidedBy(answer, valueIn(answer, on.contract))
  })
}

const invalidOr = (other: unknown) => (answer: Answer, contract: Contract) =>
  isSuccess(answer) ? other : answer.status === contract.invalid ? 'invalid' : undefined

/** A switch that the answers so far show, by operation. */
function inAnswers(
  name: SwitchName,
  isWanted: (answer: Answer) => boolean,
  valueIn: (answers: readonly [Answer, ...Answer[]], contract: Contract) => unknown,
  otherwise: string,
): Observation {
  const observe = async ({ contracts, client }: Session) => {
    const all = await Promise.all(
      contracts.map(async (contract) => {
        const [first, ...others] = (await client.answersOf(contract)).filter(isWanted)
        const value = first && valueIn([first, ...others], contract)
        return first === undefined || value === undefined ? [] : shows(first, value)
      }),
    )
    return all.flat().length > 0 ? all.flat() : otherwise
  }
  return { name, observe }
}

/** Another number than those of the checks: these calls are sent anew. */
const EMPTY_NAME = 1_000

export const observations: readonly Observation[] = [
  {
    name: 'missingUserType',
    observe: async (session) => {
      const asked = session.contracts.filter((one) => needsUserType(one) && (session.allowWrites || isRead(one)))
      const answers = await Promise.all(
        asked.map((one) => new Operation(one, session).send({ query: { user_type: undefined } })),
      )
      const refused = answers.filter(({ status }) => status >= 400 && status < 500)
      const evidence = refused.flatMap((answer) => shows(answer, answer.status))
      const [status, ...others] = new Set(refused.map((answer) => answer.status))
      if (status === undefined) return 'No operation refused a call without it.'
      const isOne = others.length === 0 && MISSING_USER_TYPE.some((one) => one === status)
      if (isOne || isUsual(session.contracts, evidence)) return evidence
      const allowed = MISSING_USER_TYPE.join(', ')
      return `Operations answer with ${[status, ...others].join(', ')}, but the switch takes only one of ${allowed} for all of them.`
    },
  },
  inOperation('keywordMatch', 'searchProtectedAttachments', async (on) => {
    const [known, none] = [knownKeyword(on), on.session.values.nonsense]
    if (attachmentsIn(await on.send()).length === 0) return UNKNOWN
    const narrowed = await search(on, known, none)
    if (attachmentsIn(narrowed).length === 0) return shows(narrowed, 'all')
    const isAny = attachmentsIn(await search(on, none, known)).length > 0
    return isAny ? shows(narrowed, 'any') : 'A second keyword changes nothing.'
  }),
  inOperation('attachmentStatus', 'searchProtectedAttachments', async (on) => {
    const answer = await on.send()
    const isAny = attachmentsIn(answer).some((one) => member(one, 'status') !== 'protected')
    return isAny ? shows(answer, 'any') : 'No attachment was found that is not protected.'
  }),
  inOperation('emptyKeyword', 'searchProtectedAttachments', async (on) => {
    if (attachmentsIn(await on.send()).length === 0) return UNKNOWN
    const answer = await search(on, knownKeyword(on), '')
    return decidedBy(answer, invalidOr('ignore')(answer, on.contract))
  }),
  inHistories('unknownSort', () => ({ sort: 'countersign' }), invalidOr('ignore')),
  inHistories('emptyFields', () => ({ sort: '' }), invalidOr('absent')),
  inHistories(
    'unknownOrganization',
    ({ complete, session }) => ({
      organization_uuid: session.values.unknownLike(complete.query.organization_uuid ?? ''),
    }),
    (answer) => {
      if (!isSuccess(answer)) return [400, 404].find((status) => status === answer.status)
      return items(member(answer.body, 'histories')).length === 0 ? 'empty' : undefined
    },
  ),
  inOperation('verifyScope', 'verifyDocument', async (on) => {
    const form = formOf(on, 'code') ?? formOf(on, 'file')
    if (form === undefined || !isSuccess(await on.send({ form }))) return UNKNOWN
    const user_uuid = on.session.values.unknownLike(String(on.complete.form?.user_uuid ?? ''))
    const answer = await on.send({ form: { ...form, user_uuid } })
    return decidedBy(answer, isSuccess(answer) ? 'anyone' : answer.status === 404 ? 'owner' : undefined)
  }),
  inOperation(
    'pendingInvitation',
    'addOrganizationMember',
    async (on) => {
      if (!isSuccess(await invite(on))) return 'Nobody could be invited.'
      const again = await invite(on, {}, 1)
      return decidedBy(again, isSuccess(again) ? 'resend' : again.status === 409 ? 'conflict' : undefined)
    },
    'writes',
  ),
  inOperation(
    'unknownInvitationOrganization',
    'addOrganizationMember',
    async (on) => {
      const { values } = on.session
      const organization = values.unknownLike(String(on.complete.form?.[ORGANIZATION] ?? ''))
      const answer = await invite(on, { 'data[0][email]': values.address('nowhere'), [ORGANIZATION]: organization })
      const value = [400, 404].find((status) => status === answer.status)
      return decidedBy(answer, value)
    },
    'writes',
  ),
  inOperation(
    'emptyName',
    'updateSubOrganizationMember',
    async (on) => {
      const before = await update(on, {}, EMPTY_NAME)
      const { first_name } = memberIn(before)
      if (!isSuccess(before) || first_name === undefined)
        return "The member's name is unknown, so it could not be restored."
      let isAsBefore = false
      try {
        const answer = await update(on, { first_name: '' }, EMPTY_NAME)
        isAsBefore = answer.status === on.contract.invalid || memberIn(answer).first_name === first_name
        if (isSuccess(answer)) return isAsBefore ? shows(answer, 'absent') : 'An empty name erases the name.'
        return decidedBy(answer, isAsBefore ? 'invalid' : undefined)
      } finally {
        if (!isAsBefore) await putBack(on, memberIn(before))
      }
    },
    'writes',
  ),
  inOperation('permissionReach', 'updateSubOrganizationMember', async (on) => {
    const { allowWrites, values } = on.session
    const { value: foreign = {}, given } = values.extra(on.contract, 'foreign')
    const { subOrganizationUuid = '', subOrgMemberId = '' } = foreign
    const isKnown = given || on.isDefault
    // Without --allow-writes no existing member is named.
    const id = allowWrites && isKnown ? String(subOrgMemberId) : values.unknownLike(String(subOrgMemberId))
    const params = { subOrganizationUuid: String(subOrganizationUuid), subOrgMemberId: id }
    const answer = await on.sendRequest({ ...on.complete, params, form: {} })
    if (answer.status === 403) return shows(answer, 'own')
    if (isKnown && (allowWrites ? isSuccess(answer) : answer.status === 404)) return shows(answer, 'everywhere')
    return 'No sub-organization of another organization is known there. Name a member of one with --data FILE: { updateSubOrganizationMember: { foreign: { subOrganizationUuid, subOrgMemberId } } }.'
  }),
  inOperation(
    'signingLinkBody',
    'createSigningLink',
    async (on) => {
      const [one, other] = [await createLink(on), await createLink(on, { other: true })]
      const link = linksIn(one.body).find((own) => !linksIn(other.body).includes(own))
      if (!isSuccess(one) || !isSuccess(other) || link === undefined) return 'No link was created that another has not.'
      const { params, query } = one.call
      return shows(one, linkTemplate(one.body, { link, project_uuid: params.uuid ?? '', email: query.email ?? '' }))
    },
    'writes',
  ),
  inAnswers(
    'errorBody',
    ({ status, body }) => status >= 400 && isObject(body),
    (answers, contract) => (errorsAreOpen(contract) ? errorShape(answers) : undefined),
    'No operation was answered with errors that a template could express.',
  ),
  inAnswers(
    'successStatus',
    isSuccess,
    (answers, contract) => {
      const [status, ...others] = new Set(answers.map((one) => one.status))
      const isClear = statusIsOpen(contract) && (status === 200 || status === 201) && others.length === 0
      return isClear ? status : undefined
    },
    'No operation succeeded with 200 or 201.',
  ),
  inAnswers(
    'successWords',
    isSuccess,
    (answers, contract) => {
      const [status, ...others] = new Set(answers.map(({ body }) => member(body, 'status')))
      if (!wordsOf(contract).includes('status') || others.length > 0 || typeof status !== 'string') return undefined
      return isApiWord(status) || /^(?:[a-z_-]{2,24}|[A-Z_-]{2,24})$/.test(status) ? { status } : undefined
    },
    'No operation succeeded with a status that is the same each time.',
  ),
  inAnswers(
    'timestamps',
    isSuccess,
    (answers) => {
      const times = answers.flatMap(({ body }) => [
        member(body, 'document', 'verified_at'),
        ...items(member(body, 'histories')).map((one) => member(one, 'created_at')),
      ])
      const texts = times.filter((one) => typeof one === 'string')
      if (texts.length > 0 && texts.every((one) => /:\d\dZ$/.test(one))) return 'seconds'
      return texts.length > 0 && texts.every((one) => /\.\d{3}Z$/.test(one)) ? 'milliseconds' : undefined
    },
    'No timestamp was seen, or none with the precision that the switch sets.',
  ),
]

/** Whether a missing user type is answered like everything that is invalid: that is the default. */
export function isUsual(contracts: readonly Contract[], evidence: readonly Evidence[]): boolean {
  return evidence.every(({ operation, value }) => contracts.find(({ id }) => id === operation)?.invalid === value)
}
