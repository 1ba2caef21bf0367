import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../../schemas/cites.js'
import { exampleOf, isFile } from '../../../schemas/common.js'
import { quote } from '../../text/wording.js'
import { linksIn } from '../../validation/deviations.js'
import { linkTemplate } from '../interpretations/template-of.js'
import type { Answer } from '../sender.js'
import { isSuccess, type Operation } from '../session.js'
import { type Check, writing } from './check.js'

const OPTIONAL: Cites = ['S1.4', 'S1.5', 'S1.6']

export const uploadSignature: readonly Check[] = [
  writing(['S1.2', 'S1.3', 'S1.7', ...OPTIONAL], async (on) => {
    const texts = Object.entries<TSchema>(on.contract.form?.properties ?? {}).filter(([, schema]) => !isFile(schema))
    const alone = await on.send()
    const whole = await on.send({ form: Object.fromEntries(texts.map(([name, schema]) => [name, exampleOf(schema)])) })
    if (isSuccess(alone) || isSuccess(whole)) on.leaves('a signature image: the sample file')
    if (isSuccess(alone)) on.holds(['S1.2', 'S1.3'])
    // An image that is taken together with the optional fields is refused for lack of them.
    on.expect(alone, 'A call with only a PNG image', isSuccess(whole) ? OPTIONAL : ['S1.2', 'S1.3'])
    on.expect(whole, 'A call with source, uuid and type', OPTIONAL)
  }),
]

const DEFAULT_MEMBER = 'amelie.vestergaard@example.test'
const EMAIL = 'data[0][email]'
const ORGANIZATION = 'data[0][organization_id]'

/** Invites someone, and notes that the invitation stays. */
async function invite(on: Operation, form: Readonly<Record<string, string>> = {}, again = 0): Promise<Answer> {
  const answer = await on.send({ form }, { again })
  const { [EMAIL]: email, [ORGANIZATION]: organization } = answer.call.form ?? {}
  if (isSuccess(answer)) on.leaves(`an invitation of ${email} to organization ${organization}`)
  return answer
}

export const addOrganizationMember: readonly Check[] = [
  writing(['S6.2', 'S6.3', 'S6.4', 'S6.5'], async (on, cites) => {
    const { values } = on.session
    const answer = await invite(on)
    if (!on.expect(answer, 'An invitation of a new member', cites, { needsData: true })) return
    const admin = await invite(on, { [EMAIL]: values.address('admin'), 'data[0][role]': 'Admin' })
    on.expect(admin, 'An invitation with the role Admin', ['S6.4'])
    const again = await invite(on, {}, 1)
    on.sees('pendingInvitation', again, isSuccess(again) ? 'resend' : again.status === 409 ? 'conflict' : undefined)
    const organization = values.unknownLike(String(on.complete.form?.[ORGANIZATION] ?? ''))
    const elsewhere = await invite(on, { [EMAIL]: values.address('nowhere'), [ORGANIZATION]: organization })
    on.sees(
      'unknownInvitationOrganization',
      elsewhere,
      [400, 404].find((status) => status === elsewhere.status),
    )
  }),
  writing(['SE.4'], async (on, cites) => {
    const { member } = on.session.values.given(on.contract)
    const answer = await invite(on, { [EMAIL]: member ?? DEFAULT_MEMBER })
    if (!isSuccess(answer) || member !== undefined || on.isDefault)
      return on.expect(answer, 'An invitation of an existing member', cites, { status: 409, needsData: true })
    const advice = `Name one with --data FILE: { ${on.contract.id}: { member: … } }.`
    return on.unchecked(cites, `${quote(DEFAULT_MEMBER)} may not be a member there. ${advice}`)
  }),
]

/** Asks for the link of a recipient, or of another one, and notes that it stays. */
async function createLink(on: Operation, { other = false, again = 0 } = {}): Promise<Answer> {
  const answer = await on.send(other ? { query: { email: on.session.values.address('other') } } : {}, { again })
  const { query, params } = answer.call
  if (isSuccess(answer)) on.leaves(`a signing link for ${query.email} in project ${params.uuid}`)
  return answer
}

export const createSigningLink: readonly Check[] = [
  writing(['S7.4', 'SU.4', 'S7.1'], async (on, cites) => {
    const answer = await createLink(on)
    const isExpected = on.expect(answer, "A complete call, without 'user_type'", cites, { needsData: true })
    if (isExpected && linksIn(answer.body).length > 0) on.holds(['S7.4'])
  }),
  writing(['S7.5'], async (on, cites) => {
    const answers = [await createLink(on), await createLink(on, { other: true }), await createLink(on, { again: 1 })]
    const [first = [], second = [], again] = answers.map(({ body }) => linksIn(body))
    if (!answers.every(isSuccess) || first.length === 0) return on.unchecked(cites, 'No link was created.')
    // Metadata may hold URLs that all links have.
    const areOwn = first.some((link) => !second.includes(link)) && first.length === second.length
    on.claim(areOwn, cites, 'body', 'Two recipients get the same link.')
    const link = first.find((one) => !second.includes(one))
    const { call, body } = answers[0] as Answer
    const known = { link: link ?? '', project_uuid: call.params.uuid ?? '', email: call.query.email ?? '' }
    on.sees('signingLinkBody', answers[0] as Answer, link && linkTemplate(body, known))
    const message = 'The same project and e-mail get a different link each time.'
    if (`${first}` !== `${again}`) on.add('differs', ['I-11'], { where: 'body', message })
  }),
]
