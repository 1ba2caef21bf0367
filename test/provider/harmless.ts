import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import {
  both,
  type Change,
  inAnswers,
  inBody,
  inEach,
  inErrors,
  inSuccesses,
  instead,
  isKnown,
  mutantsOf,
  ofType,
  reads,
  refusal,
  refuses,
  says,
} from './changes.js'
import type { Asked, Mutant, Told } from './mutating-provider.js'

const MORE = { _links: { self: '/x' }, x_version: 3, note_2: null }
const USER = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
const NAMES = 'page per_page organization_uuid'
const SPANISH = { message: '¡Todo bien, señora!' }
const PROBLEM_TYPE = 'application/problem+json'
const PROBLEM = { type: 'about:blank', title: 'Refused', detail: 'So it is.' }
const NO_HISTORY = { total: 0, histories: [] }

/** Changes every object of a value, from the inside out. */
function eachObject(value: Told['body'], change: (object: object) => object): Told['body'] {
  if (Array.isArray(value)) return value.map((one) => eachObject(one, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [key, eachObject(one, change)])
  return change(Object.fromEntries(entries))
}
const inObjects = (change: (object: object) => object) => inAnswers(({ body }) => ({ body: eachObject(body, change) }))
const reversed = (object: object) => Object.fromEntries(Object.entries(object).reverse())

/** Writes the JSON of answers otherwise. */
const written = (write: (json: string) => string) => inAnswers(({ body }) => ({ text: write(JSON.stringify(body)) }))
const indented = (json: string) => `\n${JSON.stringify(JSON.parse(json), null, 4)}\n\n`
const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
const TIME = /(?<time>T\d\d:\d\d:\d\d)(?<fraction>\.\d+)Z/g
const UUID = /"[0-9a-f]{8}-[0-9a-f-]{27}"/g

const compressed = inAnswers(({ headers, body }) => ({
  headers: { ...headers, 'content-encoding': 'gzip' },
  text: gzipSync(JSON.stringify(body)),
}))
const closed = inAnswers(({ headers }) => ({ headers: { ...headers, connection: 'close' } }))

const exceptIn = (operation: string, { tell }: Change): Change => ({
  tell: (told, asked) => asked.contract.id !== operation && tell?.(told, asked),
})
/** Errors, but for those of the histories: the document says what they look like. */
const errorsAs = (write: (status: number) => object, type = 'application/json') => {
  const change = inErrors(({ status }) => ({ headers: ofType(type), body: write(status) }))
  return exceptIn('listCreditHistories', change)
}

const sayingOk = inBody((body) => 'status' in body && { status: 'OK' })
const nothingThere = inSuccesses(({ body }, { contract: { id } }) => {
  if (id === 'listCreditHistories') return { body: { ...body, ...NO_HISTORY } }
  return id === 'uploadSignature' ? {} : refusal(404)
})
const lacksUserType = ({ contract, query }: Asked) =>
  contract.query.required?.includes('user_type') === true && query.get('user_type') !== 'ENTERPRISE_API'

const anywhere = mutantsOf(undefined, [
  [['S0.5'], 'all objects have further fields', inObjects((one) => ({ ...one, ...MORE }))],
  [['S0.3'], 'keys stand in another order', inObjects(reversed)],
  [['S0.3'], 'JSON is indented, with white space around it', written(indented)],
  [['S0.3'], 'letters beyond ASCII are escaped', written((json) => json.replace(/[\u0080-\uffff]/g, escaped))],
  [['S0.3'], 'JSON begins with a byte order mark', written((json) => `\uFEFF${json}`)],
  [['I-22'], 'times have no fractions', written((json) => json.replaceAll(TIME, '$<time>Z'))],
  [['I-22'], 'times have microseconds', written((json) => json.replaceAll(TIME, '$<time>$<fraction>000Z'))],
  [['S0.6'], 'UTC is written +00:00', written((json) => json.replaceAll(TIME, '$<time>$<fraction>+00:00'))],
  [['S5.9'], 'UUIDs are in capitals', written((json) => json.replaceAll(UUID, (one) => one.toUpperCase()))],
  [['S0.3'], 'answers are compressed', compressed],
  [['S0.3'], 'answers are slow', { ask: () => sleep(5) }],
  [['S0.3'], 'connections are closed', closed],
  [['I-02'], 'errors are flat', errorsAs(() => ({ status: 'error', message: 'So it is.' }))],
  [['I-02'], 'errors are lists in an object', errorsAs(() => ({ errors: [{ field: 'x', message: 'No.' }] }))],
  [['I-02'], 'errors are problems (RFC 9457)', errorsAs((status) => ({ ...PROBLEM, status }), PROBLEM_TYPE)],
  [['I-22'], 'messages are in another language', inBody((body) => 'message' in body && SPANISH)],
  [['I-22'], 'successes say OK', exceptIn('verifyDocument', sayingOk)],
  [['I-01'], 'successes are 201 where that is open', exceptIn('createSigningLink', instead(200, 201))],
  [['I-04'], 'a missing user_type is 400 everywhere', refuses(lacksUserType, 400)],
  [['I-04'], 'a missing user_type is 422 everywhere', refuses(lacksUserType, 422)],
  [['I-04'], 'a missing user_type is 403 everywhere', refuses(lacksUserType, 403)],
  [['SE.3'], 'nothing of what the examples name is there', nothingThere],
])

const TYPES = [
  'application/json',
  'application/json;charset=UTF-8',
  'Application/JSON; charset=utf-8',
  'application/vnd.api+json',
]
const types = TYPES.flatMap((type) =>
  mutantsOf(undefined, [[['S0.3'], `the content type is ${type}`, inAnswers(() => ({ headers: ofType(type) }))]]),
)

const isBare = (asked: Asked) =>
  asked.headers.authorization === 'Bearer token-admin' &&
  asked.query.get('user_type') === 'ENTERPRISE_API' &&
  asked.params.subOrgMemberId === '101' &&
  [...(asked.form ?? [])].length === 0

const findMember = ({ params }: Asked) => params.subOrgMemberId !== '101' && refusal(404)

const members = mutantsOf('updateSubOrganizationMember', [
  [['I-03'], 'members are looked for before calls are checked', { ask: findMember }],
  [['I-10'], 'an update without a field is refused', refuses(isBare, 400)],
])

const ofSomeone = both(says('form', 'code', /^DOC-2025-0001$/), says('form', 'user_uuid', /^[0-9a-f-]{36}$/))
const verifications = mutantsOf('verifyDocument', [
  [['I-08'], 'a document that is unknown cannot be verified', instead(404, 422)],
  [['I-08'], 'a document that cannot be verified is not found', instead(422, 404)],
  [['I-08'], "anyone's document is verified", reads('form', 'user_uuid', USER, ofSomeone)],
])

const attachments = mutantsOf('searchProtectedAttachments', [
  [['S4.5'], 'attachments come in another order', inBody(({ data }) => ({ data: data.reverse() }))],
  [['S4.8'], 'some attachments are archived', inEach('data')((_, at) => at > 0 && { status: 'archived' })],
])

const inWords = inErrors(({ body: { error } }) => ({
  body: { error: { ...error, message: error.message.replaceAll('_', ' ') } },
}))
const ignoreUnknown = ({ query }: Asked) => {
  if (query.get('sort') === 'countersign') query.delete('sort')
  if (query.get('order') === 'countersign') query.delete('order')
}
const isOtherSort = says('query', 'sort', /^(?!received_by$)/)
const isUnknown = ({ query }: Asked) =>
  ['page', 'per_page', 'organization_uuid'].every((name) => query.has(name)) &&
  !query.get('organization_uuid')?.startsWith('1c9e')
const spelt = inEach('histories')(({ type, currency }) => ({
  type: type.replace('free_credit', 'FREE'),
  currency: currency.toLowerCase(),
}))
const isLong = ({ query }: Asked) => Number(query.get('per_page')) > 2

const histories = mutantsOf('listCreditHistories', [
  [['SE.8'], 'messages name parameters in words', inWords],
  [['I-06'], 'an unknown sort and an unknown order are ignored', { ask: ignoreUnknown }],
  [['I-06'], 'only received_by can be sorted by', { ask: (asked) => isOtherSort(asked) && refusal(400, NAMES) }],
  [['I-06'], 'an unknown organization is 404', refuses(isUnknown, 404)],
  [['S5.6'], 'an organization has no history', inBody(() => NO_HISTORY)],
  [['S0.5'], 'pages hold two at the most', reads('query', 'per_page', '2', isLong)],
  [['S5.11'], 'kinds are spelt otherwise, and currencies in small letters', spelt],
])

const invited = new Set<unknown>()
const inviteOnce = (asked: Asked) => {
  const email = asked.form?.get('data[0][email]')
  const complete = [...(asked.form ?? [])].length === 5 && asked.query.get('user_type') === 'ENTERPRISE_API'
  if (!isKnown(asked) || !complete || asked.form?.get('data[0][organization_id]') !== '1') return undefined
  const again = invited.has(email)
  invited.add(email)
  return again ? refusal(409) : undefined
}

const otherLink = inSuccesses(({ body: { link } }) => ({
  body: { data: { url: `${link}?once=${Math.random()}`, expires_in: 3_600 }, ok: true },
}))
const unprocessable = inErrors(({ status }) => (status === 400 || status === 404 ? { status: 422 } : {}))

/** What a provider may do otherwise without breaking the document. */
export const harmless: readonly Mutant[] = [
  ...anywhere,
  ...types,
  ...members,
  ...verifications,
  ...attachments,
  ...histories,
  ...mutantsOf('addOrganizationMember', [[['I-07'], 'someone invited is not invited again', { ask: inviteOnce }]]),
  ...mutantsOf('uploadSignature', [
    [['I-09'], 'a signature has no UUID', inBody(() => ({ signature_id: 'SIG-000017' }))],
  ]),
  ...mutantsOf('createSigningLink', [
    [['I-11'], 'links have other fields, and are new each time', otherLink],
    [['I-11'], 'links are refused with 422', unprocessable],
  ]),
]
