import { fill, type Template } from '../../../schemas/template.js'
import { linksIn } from '../../validation/deviations.js'
import { EMAIL, invite, ORGANIZATION } from '../checks/add-organization-member.js'
import { createLink, linkRequests } from '../checks/create-signing-link.js'
import { isSuccess, sendRequest } from '../checks/session.js'
import { memberIn, putBack, update } from '../checks/update-sub-organization-member.js'
import { isLabel } from './labels.js'
import { decided, type Learner, ofOperation, undecided } from './lesson.js'
import { evidenceOf } from './shown.js'
import { type Places, templateOf } from './template-of.js'

const pendingInvitation = ofOperation(
  'addOrganizationMember',
  'pendingInvitation',
  async (session, contract) => {
    const request = session.values.complete(contract)
    const first = await invite(session, contract, request)
    if (!isSuccess(first)) return undecided('Nobody could be invited.')
    const again = await invite(session, contract, request, 1)
    const value = isSuccess(again) ? 'resend' : again.status === 409 ? 'conflict' : undefined
    if (value === undefined) return undecided(`A second invitation is answered with ${again.status}.`)
    return decided(evidenceOf(again, value))
  },
  'writes',
)

const unknownInvitationOrganization = ofOperation(
  'addOrganizationMember',
  'unknownInvitationOrganization',
  async (session, contract) => {
    const complete = session.values.complete(contract)
    const organization = session.values.unknownLike(String(complete.form?.[ORGANIZATION] ?? ''))
    const form = { ...complete.form, [EMAIL]: session.values.address('nowhere'), [ORGANIZATION]: organization }
    const answer = await invite(session, contract, { ...complete, form })
    if (answer.status !== 400 && answer.status !== 404)
      return undecided(`An invitation to an unknown organization is answered with ${answer.status}.`)
    return decided(evidenceOf(answer, answer.status))
  },
  'writes',
)

/** The number of the calls that belong to it: each of them is sent anew. */
const EMPTY_NAME = 1_000

const emptyName = ofOperation(
  'updateSubOrganizationMember',
  'emptyName',
  async (session, contract) => {
    const before = await update(session, contract, {}, EMPTY_NAME)
    const { first_name } = memberIn(before)
    if (!isSuccess(before) || first_name === undefined)
      return undecided("The member's name is unknown, so it could not be restored.")
    let isAsBefore = false
    try {
      const answer = await update(session, contract, { first_name: '' }, EMPTY_NAME)
      isAsBefore = answer.status === contract.invalid || memberIn(answer).first_name === first_name
      if (isAsBefore) return decided(evidenceOf(answer, isSuccess(answer) ? 'absent' : 'invalid'))
      return undecided(isSuccess(answer) ? 'An empty name erases the name.' : `The answer is ${answer.status}.`)
    } finally {
      if (!isAsBefore) await putBack(session, contract, memberIn(before))
    }
  },
  'writes',
)

/** A caller's reach: a member of another organization, or at least its sub-organization. */
const permissionReach = ofOperation('updateSubOrganizationMember', 'permissionReach', async (session, contract) => {
  const { value: foreign = {}, given } = session.values.extra(contract, 'foreign')
  const { subOrganizationUuid = '', subOrgMemberId = '' } = foreign
  const complete = session.values.complete(contract)
  const known = given || session.isDefault(contract)
  const asks = (id: string) =>
    sendRequest(session, contract, {
      ...complete,
      params: { subOrganizationUuid: String(subOrganizationUuid), subOrgMemberId: id },
      form: {},
    })
  // Without writes no member is called by its name, so that none is changed whatever the provider does.
  const unknown = session.values.unknownLike(String(subOrgMemberId))
  const answer = await asks(session.allowWrites && known ? String(subOrgMemberId) : unknown)
  if (answer.status === 403) return decided(evidenceOf(answer, 'own'))
  const reached = session.allowWrites ? isSuccess(answer) : answer.status === 404
  if (known && reached) return decided(evidenceOf(answer, 'everywhere'))
  return undecided(
    'No sub-organization of another organization is known there. Name a member of one with --data FILE: { updateSubOrganizationMember: { foreign: { subOrganizationUuid, subOrgMemberId } } }.',
  )
})

const signingLinkBody = ofOperation(
  'createSigningLink',
  'signingLinkBody',
  async (session, contract) => {
    const { one, other } = linkRequests(session, contract)
    const [first, second] = [await createLink(session, contract, one), await createLink(session, contract, other)]
    if (!isSuccess(first) || !isSuccess(second)) return undecided('No link was created.')
    const others = linksIn(second.body)
    const link = linksIn(first.body).find((one) => !others.includes(one))
    if (link === undefined) return undecided('The body contains no link of its own.')
    const known = { link, project_uuid: one.params.uuid ?? '', email: one.query.email ?? '' }
    const value = templateOf(first.body, placesIn(known))
    return decided(evidenceOf(first, value))
  },
  'writes',
)

/** What a reading's template would be learned as. */
export function templateSeen(template: Template): Template {
  const known = { link: 'https://x.example.test/1', project_uuid: 'the-project', email: 'someone@example.test' }
  return templateOf(fill(template, { ...known, created_at: '2026-01-15T09:30:00.000Z' }), placesIn(known))
}

type Known = Readonly<Record<'link' | 'project_uuid' | 'email', string>>

/** What a link's body is made of: what is known of it is filled in, and nothing else that it says is kept. */
function placesIn(known: Known): Places {
  return { text: (text) => placeOf(text, known) }
}

function placeOf(text: string, known: Known): string {
  const [name] = Object.entries(known).find(([, own]) => own === text) ?? []
  if (name !== undefined) return `{${name}}`
  const inner = Object.entries(known).find(([, own]) => own !== '' && text.includes(own))
  if (inner !== undefined) return around(text, inner)
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return '{created_at}'
  return isLabel(text) ? text : 'text'
}

/** A text with a known value in it: what stands around it is kept where it says nothing of anybody. */
function around(text: string, [name, own]: readonly [string, string]): string {
  const others = text.split(own)
  return others.every((part) => /^[\sa-z:,.]*$/.test(part)) ? others.join(`{${name}}`) : `{${name}}`
}

export const writeLearners: readonly Learner[] = [
  pendingInvitation,
  unknownInvitationOrganization,
  emptyName,
  permissionReach,
  signingLinkBody,
]
