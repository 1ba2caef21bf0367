import type { Cite } from '../../schemas/cites.js'
import { contracts } from '../../schemas/contracts.js'
import {
  asAdmin,
  assumes,
  both,
  has,
  hasToken,
  ignores,
  inAnswers,
  inBody,
  inEach,
  inErrors,
  inPart,
  inSuccesses,
  instead,
  isKnown,
  lacks,
  mutantsOf,
  ofType,
  reads,
  refusal,
  refuses,
  says,
  shownByWrites,
  succeeds,
} from './changes.js'
import type { Asked, Mutant, Told } from './mutating-provider.js'

const USER = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
const ORGANIZATION = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const NAMES = 'user_type, sort, order, page, per_page, organization_uuid'
const MESSAGE = { status: 'success', message: 'Done.' }
const UPLOADED = { ...MESSAGE, signature_id: 'x' }
const MEMBER = { ...MESSAGE, data: { id: 101, first_name: 'A', last_name: 'B', role: 'Member' } }
const DOCUMENT = { code: 'DOC-1', user_uuid: USER, verified_at: '2026-01-15T09:30:00.000Z' }
const VERIFIED = { status: 'verified', message: 'Fine.', document: DOCUMENT }
const FOREIGN = { organization_uuid: '9b3d5f70-8c21-4e64-a7f9-0d1e2c3b4a58' }
const LINK = { link: 'https://x.test/1' }
const HTML = { headers: ofType('text/html'), text: '<h1>No.</h1>' }
const TEXT = { headers: ofType('text/plain') }

const everywhere = contracts.flatMap(({ id }) =>
  mutantsOf(id, [
    [['SA.4', 'SA.1'], `${id} takes calls without a token`, asAdmin((asked) => !hasToken(asked))],
    [['SA.4', 'SA.1'], `${id} takes any token`, asAdmin((asked) => hasToken(asked) && !isKnown(asked))],
    [['SA.4'], `${id} answers 403 for 401`, instead(401, 403)],
    [['S0.3'], `${id} answers errors in HTML`, inErrors(() => HTML)],
  ]),
)

const USER_TYPE: readonly [cite: Cite, operation: string, mutantsOf: typeof shownByWrites][] = [
  ['SU.1', 'uploadSignature', shownByWrites],
  ['SU.1', 'updateSubOrganizationMember', shownByWrites],
  ['SU.1', 'verifyDocument', mutantsOf],
  ['SU.2', 'searchProtectedAttachments', mutantsOf],
  ['SU.1', 'addOrganizationMember', mutantsOf],
]

const userType = USER_TYPE.flatMap(([cite, id, theirs]) => [
  ...mutantsOf(id, [[[cite], `${id} breaks without a user_type`, refuses(lacks('query', 'user_type'), 500)]]),
  ...theirs(id, [
    [[cite], `${id} needs no user_type`, assumes('query', 'user_type', 'ENTERPRISE_API')],
    [[cite], `${id} takes any user_type`, reads('query', 'user_type', 'ENTERPRISE_API')],
  ]),
])

/** Required parameters and fields, with a value that is put in their place. */
const REQUIRED: readonly [cite: Cite, operation: string, part: 'query' | 'form', name: string, value: string][] = [
  ['S5.2', 'listCreditHistories', 'query', 'page', '1'],
  ['S5.2', 'listCreditHistories', 'query', 'per_page', '10'],
  ['S5.3', 'listCreditHistories', 'query', 'organization_uuid', ORGANIZATION],
  ['S4.2', 'searchProtectedAttachments', 'query', 'keyword[sample_1]', 'contract'],
  ['S3.5', 'verifyDocument', 'form', 'user_uuid', USER],
  ['S6.3', 'addOrganizationMember', 'form', 'data[0][email]', 'someone@example.test'],
  ['S6.3', 'addOrganizationMember', 'form', 'data[0][first_name]', 'Some'],
  ['S6.3', 'addOrganizationMember', 'form', 'data[0][last_name]', 'One'],
  ['S6.4', 'addOrganizationMember', 'form', 'data[0][role]', 'Member'],
  ['S6.5', 'addOrganizationMember', 'form', 'data[0][organization_id]', '1'],
]

const required = REQUIRED.flatMap(([cite, id, part, name, value]) =>
  mutantsOf(id, [
    [[cite], `${id} needs no ${name}`, assumes(part, name, value)],
    [[cite, 'SE.1'], `${id} answers 422 without ${name}`, refuses(lacks(part, name), 422, `${name} is missing`)],
    [[cite, 'SE.1'], `${id} breaks without ${name}`, refuses(lacks(part, name), 500, `${name} is missing`)],
  ]),
)

const inRecords = inEach('histories')
const inUpdated = inPart('data')
const inVerified = inPart('document')
const inFound = inEach('data')
const [code, file] = [has('form', 'code'), has('form', 'file')]
const [noCode, noFile] = [lacks('form', 'code'), lacks('form', 'file')]

const isText = ({ form }: Asked) => typeof form?.get('file') === 'string'
const uploads = [
  ...mutantsOf('uploadSignature', [
    [['S1.2', 'SE.5'], 'an upload without a file is taken', succeeds(noFile, UPLOADED)],
    [['SE.5'], 'an upload without a file is 400', refuses(noFile, 400)],
    [['S1.2', 'SE.5'], 'text is taken for a signature', succeeds(isText, UPLOADED)],
  ]),
  ...shownByWrites('uploadSignature', [
    [['S1.2', 'S1.3'], 'a PNG is refused', instead(200, 415, refusal(415).body)],
    [['S1.4'], 'source is refused', refuses(has('form', 'source'), 422)],
    [['S1.5'], 'uuid is refused', refuses(has('form', 'uuid'), 422)],
    [['S1.6'], 'type is refused', refuses(has('form', 'type'), 422)],
    [['S1.4'], 'source is required', refuses(both(file, lacks('form', 'source')), 422)],
    [['S1.6'], 'type is required', refuses(both(file, lacks('form', 'type')), 422)],
  ]),
]

const ofMember = ({ headers }: Asked) => headers.authorization === 'Bearer token-member'
const inOther = ({ params }: Asked) => !/^(?:6d9b|e0c4)/.test(params.subOrganizationUuid ?? '')
const forgetful = inUpdated((_, asked) => lacks('form', 'last_name')(asked) && { last_name: '' })
const erasing = assumes('form', 'last_name', 'Erased', has('form', 'first_name'))
const isRoleAlone = both(lacks('form', 'first_name'), says('form', 'role', /^Admin$/))
const demoted = inUpdated((_, asked) => isRoleAlone(asked) && { role: 'Member' })
/** Tells what was sent, and leaves all as it was. */
const keepsNothing = {
  ask: (asked: Asked) =>
    Object.assign(asked, { sent: Object.fromEntries(asked.form ?? []), form: asked.form && new FormData() }),
  ...inUpdated((_, asked) => (asked as Asked & { sent: object }).sent),
}

const members = [
  ...mutantsOf('updateSubOrganizationMember', [
    [['S2.2', 'SE.3'], 'an unknown sub-organization is looked through', succeeds(inOther, MEMBER)],
  ]),
  ...shownByWrites('updateSubOrganizationMember', [
    [['SA.5', 'SE.2'], 'an update needs no permission', asAdmin(ofMember)],
    [['SE.2'], 'a missing permission is 400', instead(403, 400)],
    [['S2.5'], 'a role that is none is taken', ignores('form', 'role', says('form', 'role', /^(?!(?:Admin|Member)$)/))],
    [['S2.6'], 'a role that is not sent falls back to Member', assumes('form', 'role', 'Member')],
    [['S2.6'], 'an update tells a last name only if it was sent', forgetful],
    [['S2.6'], 'an update erases a last name that was not sent', erasing],
    [['S2.6'], 'an update makes members of admins', { ...assumes('form', 'role', 'Admin'), ...demoted }],
    [['S2.4'], 'an update changes no first name', ignores('form', 'first_name')],
    [['S2.4'], 'an update changes no last name', ignores('form', 'last_name')],
    [['S2.5', 'S2.7'], 'an update changes no role', ignores('form', 'role')],
    [['S2.7'], 'nobody becomes an admin', refuses(says('form', 'role', /^Admin$/), 403)],
    [['S2.5'], 'roles are told in small letters', inUpdated(({ role }) => ({ role: role.toLowerCase() }))],
    [['S2.6'], 'an update tells what was sent, and keeps nothing', keepsNothing],
  ]),
]

const CODE = 'DOC-2025-0001'
const cutOff = inSuccesses(({ body }) => ({ text: JSON.stringify(body).slice(0, -1) }))
const readsFileAsCode = ({ form }: Asked) => {
  if (!form?.has('file') || form.has('code')) return
  form.delete('file')
  form.set('code', CODE)
}

const verifications = mutantsOf('verifyDocument', [
  [['SA.4'], 'verifyDocument answers 500 for a wrong token', instead(401, 500)],
  [['S0.3'], 'verifyDocument answers with text/plain', inAnswers(() => TEXT)],
  [['S0.3'], 'a verification answers with JSON that is cut off', cutOff],
  [['S3.4'], 'a verification needs neither code nor file', assumes('form', 'code', CODE, noFile)],
  [['S3.4', 'SE.1'], 'neither code nor file is 404', refuses(both(noCode, noFile), 404)],
  [['S3.4', 'S3.3'], 'a code alone is refused', refuses(both(code, noFile), 400)],
  [['S3.4', 'S3.2'], 'a file alone is refused', refuses(both(file, noCode), 400)],
  [['S3.4'], 'code and file together are refused', refuses(both(code, file), 400)],
  [['S3.5'], 'a user_uuid that is none is verified', succeeds(says('form', 'user_uuid', /^countersign$/), VERIFIED)],
  [['SE.3'], 'an unknown document is 409', instead(404, 409)],
  [['SE.3', 'S3.3'], 'an unknown code is verified', reads('form', 'code', CODE, says('form', 'code', /^(?!DOC)/))],
  [['SE.3', 'S3.2'], 'every PDF is verified', { ask: readsFileAsCode }],
  [['SE.5'], 'a damaged PDF breaks it', instead(422, 500)],
])

const NOTHING = { status: 200, body: { message: 'Nothing.', data: [] } }
const findsNothing = (...statuses: number[]) => inAnswers((told) => (statuses.includes(told.status) ? NOTHING : told))
const findAll = ({ query }: Asked) => {
  if (query.has('keyword[sample_1]')) query.set('keyword[sample_1]', 'contract')
  query.delete('keyword[sample_2]')
}

const attachments = mutantsOf('searchProtectedAttachments', [
  [['SA.3'], 'the search does not know the header user-token', { ask: ({ headers }) => delete headers['user-token'] }],
  [['SA.4'], 'the search takes any user-token', asAdmin(({ headers }) => headers['user-token'] !== undefined)],
  [['S0.3'], 'searchProtectedAttachments answers with text/plain', inAnswers(() => TEXT)],
  [['S0.3'], 'errors of the search have no body', inErrors(() => ({ text: '' }))],
  [['S4.3', 'S4.5'], 'keyword[sample_2] is ignored', ignores('query', 'keyword[sample_2]')],
  [['S4.3', 'S4.5'], 'keyword[sample_3] is ignored', ignores('query', 'keyword[sample_3]')],
  [['S4.3'], 'keyword[sample_2] is refused', refuses(has('query', 'keyword[sample_2]'), 400)],
  [['S4.3'], 'keyword[sample_3] is refused', refuses(has('query', 'keyword[sample_3]'), 400)],
  [['S4.4'], 'a fourth keyword is taken', ignores('query', 'keyword[sample_4]')],
  [['SE.3'], 'a search without a match is an empty list', findsNothing(404)],
  [['SE.3', 'S4.5'], 'a search finds nothing, whatever is asked', findsNothing(200, 404)],
  [['S4.5', 'SE.3'], 'a search finds everything', { ask: findAll }],
  [['S4.8'], 'attachments are secured, and not protected', inFound(() => ({ status: 'secured' }))],
  [['S4.8'], 'the status of attachments is in capitals', inFound(({ status }) => ({ status: status.toUpperCase() }))],
  [['S4.7'], 'the last path is null', inFound((_, at, all) => at === all.length - 1 && { path: null })],
])

const TIMES: readonly [name: string, write: (time: string) => unknown][] = [
  ['with an offset', (time) => time.replace(/\.\d+Z$/, '+02:00')],
  ['without a zone', (time) => time.replace('Z', '')],
  ['as a date', (time) => time.slice(0, 10)],
  ['as seconds', (time) => Math.floor(Date.parse(time) / 1000)],
  ['as a sentence', (time) => new Date(time).toUTCString()],
]

const times = TIMES.flatMap(([how, write]) => [
  ...mutantsOf('listCreditHistories', [
    [['S0.6', 'S5.8'], `records are dated ${how}`, inRecords((one) => ({ created_at: write(one.created_at) }))],
  ]),
  ...mutantsOf('verifyDocument', [
    [['S0.6', 'S3.6'], `documents are dated ${how}`, inVerified((one) => ({ verified_at: write(one.verified_at) }))],
  ]),
])

const readNextPage = ({ query }: Asked) => {
  const page = Number(query.get('page'))
  if (page > 0) query.set('page', String(page + 1))
}
const turnOrder = ({ query }: Asked) => {
  const order = query.get('order')
  if (order === 'asc' || order === 'desc') query.set('order', order === 'asc' ? 'desc' : 'asc')
}
const descends = inBody(
  ({ histories }, { query }) => query.get('order') === 'asc' && { histories: histories.toReversed() },
)
const errorsAs = (write: (error: Told['body']) => object) => inErrors(({ body }) => ({ body: write(body.error) }))
const unnamed = (name: string) =>
  inErrors((told, asked) =>
    told.status === 400 && lacks('query', name)(asked) ? refusal(400, 'Something is missing.') : told,
  )

const histories = mutantsOf('listCreditHistories', [
  [['SA.4'], 'listCreditHistories answers 500 for a wrong token', instead(401, 500)],
  [['S0.3'], 'listCreditHistories answers with text/plain', inAnswers(() => TEXT)],
  [['SU.3'], 'the histories need a user_type', refuses(lacks('query', 'user_type'), 400, NAMES)],
  [['SU.3'], 'the histories do not filter by user_type', ignores('query', 'user_type')],
  [['SE.7'], 'an error of the histories has another code', errorsAs((error) => ({ error: { ...error, code: 1234 } }))],
  [['SE.7'], 'an error of the histories is flat', errorsAs(({ message }) => ({ status: 'error', message }))],
  [['SE.7'], 'an error of the histories is a text', errorsAs(({ message }) => ({ error: message }))],
  [['SE.8'], 'an error of the histories does not name page', unnamed('page')],
  [['SE.8'], 'an error of the histories does not name per_page', unnamed('per_page')],
  [['SE.8'], 'an error of the histories does not name organization_uuid', unnamed('organization_uuid')],
  [['S5.3'], 'any organization has the same history', reads('query', 'organization_uuid', ORGANIZATION)],
  [['S5.6'], 'the page told is always the first', inBody(() => ({ page: 1 }))],
  [['S5.6'], 'the page told begins at 0', inBody(({ page }) => ({ page: page - 1 }))],
  [['S5.6'], 'the size told is always 10', inBody(() => ({ per_page: 10 }))],
  [['S5.2', 'S5.7'], 'pages begin at 0', { ask: readNextPage, ...inBody(({ page }) => ({ page: page - 1 })) }],
  [['S5.2'], 'the size is ignored', reads('query', 'per_page', '20')],
  [['S5.2'], 'the page is ignored', reads('query', 'page', '1')],
  [['S5.7'], 'the total is that of the page', inBody(({ histories }) => ({ total: histories.length }))],
  [['S5.7'], 'the total is one too few', inBody(({ total }) => ({ total: total - 1 }))],
  [['S5.7'], 'the total is what is left', inBody((told) => ({ total: told.total - (told.page - 1) * told.per_page }))],
  [['S5.9', 'S5.2'], 'a record of each page stands twice', inRecords((_, at, all) => at === 0 && all[1])],
  [['S5.3'], 'records of another organization are told', inRecords(() => FOREIGN)],
  [['S5.3'], 'one record is of another organization', inRecords((_, at) => at === 0 && FOREIGN)],
  [['S5.9'], 'records have numbers', inRecords((_, at) => ({ id: String(at + 1) }))],
  [['S5.9'], 'all records have one identifier', inRecords(() => ({ id: 'f4081c26-ae53-4fd7-809b-71d2436e5fa8' }))],
  [['S5.9'], 'currencies are signs', inRecords(() => ({ currency: '€' }))],
  [['S5.9'], 'currencies are words', inRecords(() => ({ currency: 'Euro' }))],
  [['S5.10'], 'purchases are bought', inRecords(({ type }) => ({ type: type.replace('purchase', 'buy') }))],
  [['S5.10'], 'kinds are in capitals', inRecords(({ type }) => ({ type: type.toUpperCase() }))],
  [['S5.8'], 'one note is null', inRecords(({ details }, at) => at === 2 && { details: { ...details, note: null } })],
  [['S5.4'], 'sorting by received_by is refused', refuses(says('query', 'sort', /^received_by$/), 400, NAMES)],
  [['S5.5'], 'order=asc is refused', refuses(says('query', 'order', /^asc$/), 400, NAMES)],
  [['S5.5'], 'order=desc is refused', refuses(says('query', 'order', /^desc$/), 400, NAMES)],
  [['S5.5'], 'the order is ignored', ignores('query', 'order', says('query', 'order', /^(?:asc|desc)$/))],
  [['S5.5'], 'the order is turned around', { ask: turnOrder }],
  [['S5.5'], 'each page of an ascending list descends', descends],
])

const invitations = [
  ...mutantsOf('addOrganizationMember', [
    [['SA.4'], 'addOrganizationMember answers 500 for a wrong token', instead(401, 500)],
    [['S6.3'], 'what is no address is invited', succeeds(says('form', 'data[0][email]', /^countersign$/), MESSAGE)],
  ]),
  ...shownByWrites('addOrganizationMember', [
    [['SE.4'], 'a member who is there already is 422', instead(409, 422)],
    [['S6.4'], 'an admin cannot be invited', refuses(says('form', 'data[0][role]', /^Admin$/), 400)],
    [['S6.2'], 'the list begins at 1', refuses(has('form', 'data[0][email]'), 400)],
  ]),
]

const links = [
  ...mutantsOf('createSigningLink', [
    [['S7.3'], 'createSigningLink needs no email', assumes('query', 'email', 'grace@example.test')],
    [['S7.3', 'SE.1'], 'createSigningLink answers with success without email', succeeds(lacks('query', 'email'), LINK)],
    [['S7.6', 'S7.2'], 'what is no UUID gets a link', succeeds(({ params }) => params.uuid === 'countersign', LINK)],
    [['S7.6'], 'a link without an e-mail is refused with a text', instead(400, 400, 'No.')],
    [['S7.6'], 'a link is refused with a list', instead(400, 400, ['No.'])],
  ]),
  ...shownByWrites('createSigningLink', [
    [['SU.4'], 'the signing link needs a user_type', refuses(lacks('query', 'user_type'), 400)],
    [['S7.4'], 'a link is created with 201', instead(200, 201)],
    [['S7.4'], 'a link is a text', inSuccesses(({ body }) => ({ body: body.link }))],
    [['S7.4'], 'a link is in a list', inSuccesses(({ body }) => ({ body: [body] }))],
    [['S7.5'], 'all recipients get one link', inBody(() => ({ link: 'https://sign.example.test/project' }))],
  ]),
]

/** What breaks the document, but for what the product's own mutants do. */
export const mutants: readonly Mutant[] = [
  ...everywhere,
  ...userType,
  ...required,
  ...uploads,
  ...members,
  ...verifications,
  ...attachments,
  ...times,
  ...histories,
  ...invitations,
  ...links,
]
