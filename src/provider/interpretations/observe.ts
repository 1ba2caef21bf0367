import { type Contract, isRead, needsUserType } from '../../../schemas/contract.js'
import type { OperationId } from '../../../schemas/contracts.js'
import type { SwitchName } from '../../../schemas/interpretations.js'
import { errorsAreOpen, MISSING_USER_TYPE, statusIsOpen, wordsOf } from '../../../schemas/readings.js'
import { isObject } from '../../text/json.js'
import { linksIn } from '../../validation/deviations.js'
import type { Changes } from '../calls.js'
import { invite, ORGANIZATION } from '../checks/add-organization-member.js'
import { createLink } from '../checks/create-signing-link.js'
import { attachmentsIn, knownKeyword, search } from '../checks/search-protected-attachments.js'
import { memberIn, putBack, update } from '../checks/update-sub-organization-member.js'
import { formOf, isNamed } from '../checks/verify-document.js'
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
export interface Observation {
  readonly name: SwitchName
  readonly needs?: 'writes'
  readonly observe: (session: Session) => Promise<Observed>
}

const UNKNOWN = 'No data that could show it is known there.'

function shows(answer: Answer, value: unknown): readonly Evidence[] {
  const { status, body, call } = answer
  const shown = body === undefined ? `${status}` : `${status} ${shapeText(body)}`
  return [{ operation: call.contract.id, value, shown }]
}

/** One answer as evidence, if it is one that some value gives. */
function decidedBy(answer: Answer, value: unknown): Observed {
  return value === undefined ? `The answer is ${answer.status}, which is not one of its values.` : shows(answer, value)
}

function inOperation(name: SwitchName, id: OperationId, observe: (on: Operation) => Promise<Observed>): Observation {
  return {
    name,
    observe: async (session) => {
      const contract = session.contracts.find((one) => one.id === id)
      return contract === undefined
        ? `Its operation, ${id}, was not chosen.`
        : observe(new Operation(contract, session))
    },
  }
}

/** A switch that is shown by one call, where the complete request succeeds. */
function byCall(
  name: SwitchName,
  id: OperationId,
  changes: (on: Operation) => Changes,
  read: (answer: Answer, contract: Contract) => unknown,
): Observation {
  return inOperation(name, id, async (on) => {
    const isReady = isSuccess(await on.send(usual(on)))
    if (!isReady) return UNKNOWN
    const answer = await on.send(changes(on))
    return decidedBy(answer, read(answer, on.contract))
  })
}

/** What makes a request of an operation complete: a document by its code or, where only that is named, by its file. */
function usual(on: Operation): Changes {
  return on.contract.id === 'verifyDocument' ? { form: formOf(on, isNamed(on, 'code') ? 'code' : 'file') } : {}
}

const invalidOr = (other: unknown) => (answer: Answer, contract: Contract) =>
  isSuccess(answer) ? other : answer.status === contract.invalid ? 'invalid' : undefined

const writes = (observation: Observation): Observation => ({ ...observation, needs: 'writes' })

/** The evidence of each operation, from its answers so far. */
async function fromAnswers(
  { contracts, client }: Session,
  wanted: (answer: Answer) => boolean,
  read: (answers: readonly [Answer, ...Answer[]], contract: Contract) => unknown,
): Promise<readonly Evidence[]> {
  const all = await Promise.all(
    contracts.map(async (contract) => {
      const [first, ...others] = (await client.answersOf(contract)).filter(wanted)
      const value = first && read([first, ...others], contract)
      return first === undefined || value === undefined ? [] : shows(first, value)
    }),
  )
  return all.flat()
}

/** Another number than those of the checks: these calls are sent anew. */
const EMPTY_NAME = 1_000

export const observations: readonly Observation[] = [
  {
    name: 'missingUserType',
    observe: async (session) => {
      const evidence: Evidence[] = []
      for (const contract of session.contracts) {
        if (!needsUserType(contract) || !(session.allowWrites || isRead(contract))) continue
        const answer = await new Operation(contract, session).send({ query: { user_type: undefined } })
        if (answer.status >= 400 && answer.status < 500) evidence.push(...shows(answer, answer.status))
      }
      if (evidence.length === 0) return 'No operation refused a call without it.'
      const values = [...new Set(evidence.map(({ value }) => value as number))]
      const isOne = values.length === 1 && MISSING_USER_TYPE.some((status) => status === values[0])
      return isOne || isUsual(session.contracts, evidence)
        ? evidence
        : `Operations answer with ${values.join(', ')}, but the switch takes only one of ${MISSING_USER_TYPE.join(', ')} for all of them.`
    },
  },
  inOperation('keywordMatch', 'searchProtectedAttachments', async (on) => {
    const [known, none] = [knownKeyword(on), on.session.values.nonsense]
    if (attachmentsIn(await on.send()).length === 0) return UNKNOWN
    const narrowed = await search(on, [known, none])
    if (attachmentsIn(narrowed).length === 0) return shows(narrowed, 'all')
    const isAny = attachmentsIn(await search(on, [none, known])).length > 0
    return isAny ? shows(narrowed, 'any') : 'A second keyword changes nothing.'
  }),
  inOperation('attachmentStatus', 'searchProtectedAttachments', async (on) => {
    const answer = await on.send()
    const found = attachmentsIn(answer)
    if (found.length === 0) return UNKNOWN
    const isAny = found.some((one) => member(one, 'status') !== 'protected')
    return isAny ? shows(answer, 'any') : 'All attachments that were found are protected.'
  }),
  inOperation('emptyKeyword', 'searchProtectedAttachments', async (on) => {
    if (attachmentsIn(await on.send()).length === 0) return UNKNOWN
    const answer = await search(on, [knownKeyword(on), ''])
    return decidedBy(answer, invalidOr('ignore')(answer, on.contract))
  }),
  byCall('unknownSort', 'listCreditHistories', () => ({ query: { sort: 'countersign' } }), invalidOr('ignore')),
  byCall(
    'unknownOrganization',
    'listCreditHistories',
    ({ complete, session }) => ({
      query: { organization_uuid: session.values.unknownLike(complete.query.organization_uuid ?? '') },
    }),
    (answer) => {
      if (isSuccess(answer)) return items(member(answer.body, 'histories')).length === 0 ? 'empty' : undefined
      return [400, 404].find((status) => status === answer.status)
    },
  ),
  {
    name: 'emptyFields',
    observe: async (session) => {
      const operationOf = (id: string) =>
        session.contracts.filter((one) => one.id === id).map((one) => new Operation(one, session))
      const [upload] = session.allowWrites ? operationOf('uploadSignature') : []
      const read = invalidOr('absent')
      if (upload !== undefined) {
        const answer = await upload.send({ form: { source: '' } })
        if (isSuccess(answer)) upload.leaves('a signature with an empty source')
        const value = read(answer, upload.contract)
        if (value !== undefined) return shows(answer, value)
      }
      const [histories] = operationOf('listCreditHistories')
      if (histories === undefined) return 'Its operations, uploadSignature and listCreditHistories, were not chosen.'
      const bySort = await histories.send({ query: { sort: '' } })
      const byOrder = await histories.send({ query: { order: '' } })
      const [value, other] = [bySort, byOrder].map((answer) => read(answer, histories.contract))
      const isClear = isSuccess(await histories.send()) && value !== undefined && value === other
      return isClear ? shows(bySort, value) : 'Empty texts are not all treated in the same way.'
    },
  },
  byCall(
    'verifyScope',
    'verifyDocument',
    (on) => {
      const user = on.session.values.unknownLike(String(on.complete.form?.user_uuid ?? ''))
      return { form: { ...usual(on).form, user_uuid: user } }
    },
    (answer) => (isSuccess(answer) ? 'anyone' : answer.status === 404 ? 'owner' : undefined),
  ),
  writes(
    inOperation('pendingInvitation', 'addOrganizationMember', async (on) => {
      if (!isSuccess(await invite(on))) return 'Nobody could be invited.'
      const again = await invite(on, {}, 1)
      return decidedBy(again, isSuccess(again) ? 'resend' : again.status === 409 ? 'conflict' : undefined)
    }),
  ),
  writes(
    inOperation('unknownInvitationOrganization', 'addOrganizationMember', async (on) => {
      const { values } = on.session
      const organization = values.unknownLike(String(on.complete.form?.[ORGANIZATION] ?? ''))
      const answer = await invite(on, { 'data[0][email]': values.address('nowhere'), [ORGANIZATION]: organization })
      return decidedBy(
        answer,
        [400, 404].find((status) => status === answer.status),
      )
    }),
  ),
  writes(
    inOperation('emptyName', 'updateSubOrganizationMember', async (on) => {
      const before = await update(on, {}, EMPTY_NAME)
      const { first_name } = memberIn(before)
      if (!isSuccess(before) || first_name === undefined)
        return "The member's name is unknown, so it could not be restored."
      let isAsBefore = false
      try {
        const answer = await update(on, { first_name: '' }, EMPTY_NAME)
        isAsBefore = answer.status === on.contract.invalid || memberIn(answer).first_name === first_name
        if (!isAsBefore && isSuccess(answer)) return 'An empty name erases the name.'
        return decidedBy(answer, isAsBefore ? (isSuccess(answer) ? 'absent' : 'invalid') : undefined)
      } finally {
        if (!isAsBefore) await putBack(on, memberIn(before))
      }
    }),
  ),
  inOperation('permissionReach', 'updateSubOrganizationMember', async (on) => {
    const { allowWrites, values } = on.session
    const { value: foreign = {}, given } = values.extra(on.contract, 'foreign')
    const subOrganizationUuid = String(foreign.subOrganizationUuid ?? '')
    const id = String(foreign.subOrgMemberId ?? '')
    const isKnown = given || on.isDefault
    // Without --allow-writes no existing member is named.
    const subOrgMemberId = allowWrites && isKnown ? id : values.unknownLike(id)
    const answer = await on.sendRequest({ ...on.complete, params: { subOrganizationUuid, subOrgMemberId }, form: {} })
    if (answer.status === 403) return shows(answer, 'own')
    const isReached = allowWrites ? isSuccess(answer) : answer.status === 404
    return isKnown && isReached
      ? shows(answer, 'everywhere')
      : 'No sub-organization of another organization is known there. Name a member of one with --data FILE: { updateSubOrganizationMember: { foreign: { subOrganizationUuid, subOrgMemberId } } }.'
  }),
  writes(
    inOperation('signingLinkBody', 'createSigningLink', async (on) => {
      const [one, other] = [await createLink(on), await createLink(on, { other: true })]
      if (!isSuccess(one) || !isSuccess(other)) return 'No link was created.'
      const link = linksIn(one.body).find((own) => !linksIn(other.body).includes(own))
      if (link === undefined) return 'The body contains no link of its own.'
      const { params, query } = one.call
      return shows(one, linkTemplate(one.body, { link, project_uuid: params.uuid ?? '', email: query.email ?? '' }))
    }),
  ),
  {
    name: 'errorBody',
    observe: async (session) => {
      const isError = (answer: Answer) => answer.status >= 400 && isObject(answer.body)
      const evidence = await fromAnswers(session, isError, (answers, contract) =>
        errorsAreOpen(contract) ? errorShape([...answers].sort((one, other) => one.status - other.status)) : undefined,
      )
      return evidence.length > 0 ? evidence : 'No operation was answered with errors that a template could express.'
    },
  },
  {
    name: 'successStatus',
    observe: async (session) => {
      const evidence = await fromAnswers(session, isSuccess, (answers, contract) => {
        const [status, ...others] = new Set(answers.map((one) => one.status))
        const isClear = statusIsOpen(contract) && (status === 200 || status === 201) && others.length === 0
        return isClear ? status : undefined
      })
      return evidence.length > 0 ? evidence : 'No operation succeeded with 200 or 201.'
    },
  },
  {
    name: 'successWords',
    observe: async (session) => {
      const evidence = await fromAnswers(session, isSuccess, (answers, contract) => {
        const [status, ...others] = new Set(answers.map(({ body }) => member(body, 'status')))
        if (!wordsOf(contract).includes('status') || others.length > 0 || typeof status !== 'string') return undefined
        return isApiWord(status) || /^(?:[a-z_-]{2,24}|[A-Z_-]{2,24})$/.test(status) ? { status } : undefined
      })
      return evidence.length > 0 ? evidence : 'No operation succeeded with a status that is the same each time.'
    },
  },
  {
    name: 'timestamps',
    observe: async (session) => {
      const seen = await fromAnswers(session, isSuccess, (answers) => {
        const times = answers.flatMap(({ body }) => [
          member(body, 'document', 'verified_at'),
          ...items(member(body, 'histories')).map((one) => member(one, 'created_at')),
        ])
        const texts = times.filter((one) => typeof one === 'string')
        const precision = (is: RegExp) => texts.every((one) => is.test(one))
        if (texts.length === 0) return undefined
        return precision(/:\d\dZ$/) ? 'seconds' : precision(/\.\d{3}Z$/) ? 'milliseconds' : 'another'
      })
      if (seen.length === 0) return 'No timestamp was seen.'
      const [value, ...others] = new Set(seen.map((one) => one.value))
      return value === 'another' || others.length > 0 ? 'Timestamps have another precision, or several.' : seen
    },
  },
]

/** Whether a missing user type is answered like everything that is invalid: that is the default. */
export function isUsual(contracts: readonly Contract[], evidence: readonly Evidence[]): boolean {
  return evidence.every(({ operation, value }) => contracts.find(({ id }) => id === operation)?.invalid === value)
}
