import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../../../schemas/cites.js'
import { exampleOf, isFile } from '../../../../schemas/common.js'
import { quote } from '../../../mock/text/wording.js'
import { linksIn } from '../../../mock/validation/deviations.js'
import { linkTemplate } from '../interpretations/shapes.js'
import { check, type OperationCheck, type TestedOperation } from '../session.js'

const OPTIONAL: Cites = ['S1.4', 'S1.5', 'S1.6']

const upload = async (on: TestedOperation) => {
  const texts = Object.entries<TSchema>(on.contract.form?.properties ?? {}).filter(([, schema]) => !isFile(schema))
  const alone = await on.send()
  const whole = await on.send({ form: Object.fromEntries(texts.map(([name, schema]) => [name, exampleOf(schema)])) })
  if (alone.ok || whole.ok) on.session.left.add('a signature image: the sample file')
  // If the image is accepted with the optional fields, it was refused for lack of them.
  const cites: Cites = whole.ok ? OPTIONAL : ['S1.2', 'S1.3']
  on.expect(alone, 'A call with only a PNG image', { cites })
  on.expect(whole, 'A call with source, uuid and type', { cites: OPTIONAL })
}

export const uploadSignature: readonly OperationCheck[] = [
  check(['S1.2', 'S1.3', 'S1.7', ...OPTIONAL], upload, 'writes'),
]

const DEFAULT_MEMBER = 'amelie.vestergaard@example.test'
const EMAIL = 'data[0][email]'
const ORGANIZATION = 'data[0][organization_id]'

async function invite(on: TestedOperation, form: Readonly<Record<string, string>> = {}, again = 0) {
  const answer = await on.send({ form }, { again })
  const { [EMAIL]: email, [ORGANIZATION]: organization } = answer.call.form ?? {}
  if (answer.ok) on.session.left.add(`an invitation of ${email} to organization ${organization}`)
  return answer
}

async function inviteNew(on: TestedOperation): Promise<void> {
  const { data } = on.session
  if (!on.expect(await invite(on), 'An invitation of a new member', { needsData: true })) return
  const admin = await invite(on, { [EMAIL]: data.address('admin'), 'data[0][role]': 'Admin' })
  on.expect(admin, 'An invitation with the role Admin', { cites: ['S6.4'] })
  const again = await invite(on, {}, 1)
  on.seesStatus('pendingInvitation', again, { 200: 'resend', 409: 'conflict' })
  const organization = data.unknownLike(String(on.complete.form?.[ORGANIZATION]))
  const elsewhere = await invite(on, { [EMAIL]: data.address('nowhere'), [ORGANIZATION]: organization })
  on.seesStatus('unknownInvitationOrganization', elsewhere, { 400: 400, 404: 404 })
}

async function inviteMember(on: TestedOperation): Promise<void> {
  const { member } = on.session.data.given(on.contract)
  const answer = await invite(on, { [EMAIL]: member ?? DEFAULT_MEMBER })
  if (answer.ok && member === undefined && !on.isDefault) {
    const advice = `Name one with --data FILE: { ${on.contract.id}: { member: … } }.`
    on.unchecked(`${quote(DEFAULT_MEMBER)} may not be a member there. ${advice}`)
  } else on.expect(answer, 'An invitation of an existing member', { status: 409, needsData: true })
}

export const addOrganizationMember: readonly OperationCheck[] = [
  check(['S6.2', 'S6.3', 'S6.4', 'S6.5'], inviteNew, 'writes'),
  check(['SE.4'], inviteMember, 'writes'),
]

async function createLink(on: TestedOperation, recipient?: string, again = 0) {
  const answer = await on.send(recipient === undefined ? {} : { query: { email: recipient } }, { again })
  const { query, params } = answer.call
  if (answer.ok) on.session.left.add(`a signing link for ${query.email} in project ${params.uuid}`)
  return answer
}

async function linkWithoutUserType(on: TestedOperation): Promise<void> {
  on.expect(await createLink(on), "A complete call, without 'user_type'", { needsData: true })
}

async function compareLinks(on: TestedOperation): Promise<void> {
  const usual = await createLink(on)
  const other = await createLink(on, on.session.data.address('other'))
  const again = await createLink(on, undefined, 1)
  const [first, second] = [linksIn(usual.body), linksIn(other.body)]
  if (![usual, other, again].every(({ ok }) => ok) || first.length === 0) return on.unchecked('No link was created.')
  // Metadata may hold URLs that all links have.
  const own = first.find((link) => !second.includes(link))
  const areOwn = own !== undefined && first.length === second.length
  on.claim(areOwn, 'body', 'Two recipients get the same link.')
  const { params, query } = usual.call
  const known = { link: own ?? '', project_uuid: params.uuid ?? '', email: query.email ?? '' }
  on.sees('signingLinkBody', usual, own && linkTemplate(usual.body, known))
  const message = 'The same project and e-mail get a different link each time.'
  if (`${first}` !== `${linksIn(again.body)}`) on.add('differs', ['I-11'], { where: 'body', message })
}

export const createSigningLink: readonly OperationCheck[] = [
  check(['S7.4', 'SU.4', 'S7.1'], linkWithoutUserType, 'writes'),
  check(['S7.5'], compareLinks, 'writes'),
]
