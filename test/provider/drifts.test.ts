import t from 'tap'
import { parse } from 'yaml'
import { searchProtectedAttachments } from '../../schemas/index.js'
import { sampleBody } from '../../src/engine/contract/envelopes.js'
import { fits } from '../fits.js'
import { countersign, TOKEN, verify } from '../forward/provider.js'

const record = (nth: number) => ({
  id: `0b6a3d0e-6a51-4f0e-9f2c-3f1d8f7a2c1${nth}`,
  organization_uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20',
  type: 'refund',
  amount: 1,
  currency: 'EUR',
  created_at: `2026-01-0${nth}T00:00:00.000Z`,
  user_type: 'ENTERPRISE_API',
  details: { source: 'a', note: 'b' },
})

const plain = { order: { absent: true }, sort: { absent: true }, user_type: { absent: true } }

function page(page: number, per_page: number, total: number, ...records: number[]): string {
  const query = { ...plain, organization_uuid: { startsWith: '1c9' }, per_page: { matches: '.' }, page: `${page}` }
  const body = { page, per_page, total, histories: records.map(record) }
  return JSON.stringify({ on: 'listCreditHistories', when: { query }, answer: { status: 200, body } })
}

/** Records with these identifiers; all else is wrong, and so is the order. */
function odd(...ids: number[]): string {
  const wrong = { organization_uuid: 'other', currency: '€', user_type: 'NONE' }
  const order = (at: number) => ({ type: `odd-${at}`, amount: `${Math.min(at, 1)}`, details: {} })
  const texts = (at: number) =>
    at === 0 ? { created_at: 'yesterday', received_by: 'b' } : { created_at: 'today', received_by: 'a' }
  return JSON.stringify(ids.map((id, at) => ({ ...record(id), ...wrong, ...order(at), ...texts(at) })))
}

function attachments(...some: string[]): string {
  const sample = sampleBody(searchProtectedAttachments, 200) as { data: object[] }
  const all = some.map((one) => {
    const [id, status, name, type] = one.split(' ')
    const own = { id: Number(id), status, name, type, reference_number: `C-${id}`, dna: id, path: `a/${id}` }
    return { ...sample.data[0], ...own }
  })
  return JSON.stringify(all)
}

/**
 * Rows: how a provider differs (a mutant, a scenario, or rules for calls with the token), the totals, and parts of report
 * lines (the state of a check, its citations, its place, its message). A cell of flags replaces the default flags.
 */
const table = `
uploadSignature:200/answer/status-401 | 5 ok, 11 drift, 0 differ | ✗ SA.2, S1.1, S0.1, S0.2, SU.1, SA.6  status | ✗ S1.2, S1.3  status | ✗ S1.4, S1.5, S1.6  status
updateSubOrganizationMember:200/answer/status-400 | 10 ok, 0 drift, 9 differ | ~ SA.2, S2.1, S0.1, S0.2, SU.1, SA.6, I-10  status | ~ S2.6, S2.4, S2.5, I-10  status
updateSubOrganizationMember:200/effect/without-effect | 20 ok, 1 drift, 0 differ | ✗ S2.6  data.first_name | ✗ S2.6  data.role | ✗ S2.6  data.last_name
verifyDocument:200/answer/status-400 | 8 ok, 9 drift, 0 differ | ✗ SA.2, S3.1, S0.1, S0.2, SU.1, SA.6  status | ✗ S3.3, S3.4  status | ✗ S3.2, S3.4  status | ✗ S3.4  status
verifyDocument:400/answer/status-401 | 14 ok, 4 drift, 2 differ | ~ S3.5, SE.1, I-03  status | ~ I-04  missingUserType
verifyDocument:400/answer/status-404 | 14 ok, 4 drift, 2 differ | ~ SU.1, SA.6, SE.1, I-04  status | ~ S3.5, SE.1, I-03  status | ~ SE.1, S3.2, I-08  status
searchProtectedAttachments:200/data.each.type/left-out | 18 ok, 1 drift, 1 differs | ✗ S4.7  data | ~ S4.5, I-05  data
searchProtectedAttachments:200/data.each.status/left-out | 18 ok, 2 drift, 0 differ | ✗ S4.8  data | ✗ S4.7, S4.8  data
searchProtectedAttachments:401/answer/status-404 | 17 ok, 2 drift, 0 differ | ✗ SA.4, SA.1  status
listCreditHistories:200/page/left-out | 19 ok, 2 drift, 0 differ | ✗ S5.2, S5.6  page | ✗ S5.6  page
listCreditHistories:200/histories/other-type | 13 ok, 1 drift, 0 differ | ✗ S5.6  histories
listCreditHistories:200/histories/reversed | 20 ok, 1 drift, 0 differ | ✗ S5.5  histories
listCreditHistories:200/histories.each.id/null | 19 ok, 2 drift, 0 differ | ✗ S5.8, S5.9  histories
listCreditHistories:200/answer/status-400 | 19 ok, 8 drift, 0 differ | --only listCreditHistories,searchProtectedAttachments | ✗ S5.4  status | ~ SU.3, I-04  status
{ on: listCreditHistories, when: { query: { page: { matches: . }, per_page: { matches: . }, organization_uuid: { startsWith: 1c9 } } }, answer: { status: 404, body: { error: { code: 404, message: Not yours. } } } } | 11 ok, 0 drift, 0 differ | SA.2  Answered with 404: the requested data*
listCreditHistories:400/answer/status-401 | 15 ok, 5 drift, 1 differs | ✗ SE.8  error.message | ~ S5.5, I-06  status
{ on: createSigningLink, when: { path: { uuid: { startsWith: a4e2 } }, query: { email: { matches: . } } }, answer: { status: 200, body: { link: /sign/1 } } } | 11 ok, 1 drift, 0 differ | ✗ S7.4  body: *absolute URL.
createSigningLink:200/answer/without-link | 11 ok, 1 drift, 0 differ from an interpretation. The provider also departs from 1 interpretation that belongs to no statement. | ✗ S7.4  body | ~ I-11  link
verifyDocument:404/answer/status-422 | 18 ok, 0 drift, 2 differ | ~ SE.3, I-08  status | ~ SE.3, S3.2, I-08  status
verifyDocument:422/answer/status-400 | 19 ok, 0 drift, 1 differs | ~ SE.5, I-08  status
searchProtectedAttachments:200/answer/status-404 | 13 ok, 0 drift, 0 differ
searchProtectedAttachments:200/data/empty-list | 16 ok, 0 drift, 0 differ
updateSubOrganizationMember:200/data.id/not-as-sent | 19 ok, 2 drift, 0 differ | ✗ S2.3, S2.8  data.id: An update of member 101 is answered with member 102.
listCreditHistories:200/histories.each.created_at/local-time | 20 ok, 1 drift, 0 differ | ✗ S0.6  histories[*].created_at, * of *: 
uploadSignature:200 | 20 ok, 7 drift, 0 differ | --allow-writes --token-without-permission token-member --only uploadSignature,verifyDocument | ✗ SA.4, SA.1  status: A call without a token *200*401 | ✗ SA.4, SA.1  status: A call with an empty token *200*401 | ✗ SA.4, SA.1  status: *'authorization'*200*401 | ✗ S1.2, S1.3, SE.5  status: *'file'*200*422 | ✗ S1.2, S1.3, SE.5  status: *'countersign'*'file'*200*422
updateSubOrganizationMember:200 | 17 ok, 13 drift, 0 differ | --allow-writes --token-without-permission token-member --only updateSubOrganizationMember,verifyDocument | ✗ S2.5, SE.1  status: *'countersign'*'role'*200*400 | ✗ SA.5, SE.2  status: A call by a user without the permission *200*403 | ✗ S2.2, SE.3  status: A call with an unknown 'subOrganizationUuid' *200*404 | ✗ S2.3, SE.3  status: *'subOrgMemberId'*200*404 | ✗ S2.6  data.first_name: An update without a field, after another update: 'first_name' was not sent, but has changed. | ✗ S2.6, S2.4  data.last_name: An update of only the last name: 'last_name' differs from the value sent. | ✗ S2.6, S2.5  data.role: An update of only the role, to Admin: 'role' differs from the value sent.
updateSubOrganizationMember:500 | 11 ok, 17 drift, 0 differ | --allow-writes --token-without-permission token-member --only updateSubOrganizationMember,verifyDocument | ✗ SA.4, SA.1  status: *wrong token in 'authorization' *500*401* Its message: 'Unexpected server error.'. | ✗ SA.2, *Pass data of updateSubOrganizationMember that exists at the provider with --data FILE. | ✗ SA.5, SE.2  status: *user without the permission *500*403 | ✗ S2.2, SE.3  status: *unknown 'subOrganizationUuid'  | ✗ S2.3, SE.3  status: *unknown 'subOrgMemberId'  | ✗ S2.6, S2.4, S2.5  status: *a field  | S2.7, S2.8  An update without a field failed, so the member's original values are unknown.
verifyDocument:200 | 9 ok, 10 drift, 0 differ | ✗ S3.5, SE.1  status: *'user_uuid'*200*400 | ✗ S3.5, SE.1  status: *'countersign'*'user_uuid'*200*400 | ✗ S3.2, S3.4, SE.1  status: A call with none of file, code *200*400 | ✗ SE.3  status: A call with an unknown code *200*404 | ✗ SE.3, S3.2  status: A call with an unknown PDF *200*404 | ✗ SE.1, S3.2  status: A call with a text file *200*400 | ✗ SE.5  status: A call with a damaged PDF *200*422 | ✗ SE.5  status: A call with a damaged PDF *200*422
searchProtectedAttachments:200 | 10 ok, 9 drift, 0 differ | ✗ SA.4, SA.1  status: *'user-token'*200*401 | ✗ S4.2, SE.1  status: *'keyword[sample_1]'*200*400 | ✗ S4.5, SE.3  data: A search for a nonsense keyword finds attachments (1). | ✗ S4.4, SE.1  status: A search with four keywords *200*400
listCreditHistories:200 | 9 ok, 9 drift, 0 differ | ✗ S5.2, SE.1, SE.7, SE.8  status: *'page'*200*400 | ✗ S5.3, SE.1, SE.7, SE.8  status: *'organization_uuid'*200*400 | ✗ S5.2, S5.6  per_page: The answer must repeat 3, as sent, not 10. | ~ I-06  histories: A page past the end repeats records, in place of an empty list. | ✗ S5.3  histories: The history of an organization that does not exist contains records (1). | ✗ SU.3  histories[*].user_type, 1 of 1: A call with user_type=COUNTERSIGN is answered with records of another type.
addOrganizationMember:200 | 18 ok, 9 drift, 0 differ | --allow-writes --token-without-permission token-member --only addOrganizationMember,verifyDocument | ✗ S6.3, SE.1  status: *'data[0][email]'*200*400 | ✗ S6.3, SE.1  status: *'countersign'*'data[0][email]'*200*400 | ✗ S6.3, SE.1  status: *'data[0][first_name]'*200*400 | ✗ S6.3, SE.1  status: *'data[0][last_name]'*200*400 | ✗ S6.4, SE.1  status: *'data[0][role]'*200*400 | ✗ S6.5, SE.1  status: *'data[0][organization_id]'*200*400
createSigningLink:200 | 21 ok, 6 drift, 0 differ | --allow-writes --token-without-permission token-member --only createSigningLink,verifyDocument | ✗ S7.3, S7.6  status: *'email'*200*400 | ✗ S7.2, S7.6  status: *'countersign' as 'uuid' *200*400 | ✗ S7.2, S7.6  status: *'uuid'*200*404 | ✗ S7.5  body: Two recipients must get equally many links, at least one of them different.
{ on: updateSubOrganizationMember, when: { body: { first_name: { matches: . }, last_name: { matches: . }, role: { matches: . } } }, answer: { status: 403 } } | 19 ok, 2 drift, 0 differ | ✗ S2.4, S2.5  status: An update of all fields *403*200 | member 101 of 6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60, which was first_name 'Zoë', last_name 'O'Connor', role 'Member'; it is now first_name 'Countersign', last_name 'Countersign', role 'Member'
{ on: updateSubOrganizationMember, when: { body: { first_name: { matches: . }, last_name: { matches: . }, role: { matches: . } } }, answer: { status: 403 }, then: Refused }, { on: updateSubOrganizationMember, when: { state: Refused }, answer: { status: 403 } } | 19 ok, 2 drift, 0 differ | ✗ S2.4, S2.5  status: An update of all fields *403*200 | member 101 of 6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60, which was first_name 'Zoë', last_name 'O'Connor', role 'Member'; its current values are unknown
{ on: updateSubOrganizationMember, when: { state: Updated, body: { first_name: { absent: true }, last_name: { absent: true }, role: { absent: true } } }, answer: { status: 400 }, then: Started }, { on: updateSubOrganizationMember, when: { body: { first_name: Countersign, last_name: { absent: true } } }, answer: {}, then: Updated } | 20 ok, 1 drift, 0 differ | ✗ S2.6  status: *a field, after another update *400*200
{ on: updateSubOrganizationMember, when: { body: { first_name: { absent: true }, last_name: Countersign } }, answer: { status: 400 } } | 19 ok, 2 drift, 0 differ | ✗ S2.4, S2.6  status: *last name *400*200
{ on: updateSubOrganizationMember, when: { body: { role: Admin } }, answer: { status: 403 } } | 19 ok, 2 drift, 0 differ | ✗ S2.5, S2.7  status: *role, to Admin *403*200
{ on: updateSubOrganizationMember, when: { token: token-admin, query: { user_type: ENTERPRISE_API } }, offContract: true, answer: { status: 200, body: { status: success, message: Updated } } } | 10 ok, 6 drift, 0 differ | --allow-writes --only updateSubOrganizationMember | shows no first_name, last_name, role, so a change could not be undone
{ on: updateSubOrganizationMember, when: { body: { first_name: Zoë } }, answer: {}, then: Kept }, { on: updateSubOrganizationMember, when: { state: Kept }, answer: { status: 200, body: { status: success, message: Updated, data: { id: 101, first_name: ZoÃ«, last_name: "O'Connor", role: Member } } } } | 20 ok, 1 drift, 0 differ | ✗ S2.8  data.first_name: 'first_name' was sent as 'Zoë', but is 'ZoÃ«'.
{ on: listCreditHistories, when: { query: { page: { absent: true } } }, answer: { status: 400, body: { error: { code: 409, message: 'Which page?' } } } } | 20 ok, 1 drift, 0 differ | ✗ SE.7  error.code: It must be the status 400, not 409.
{ on: listCreditHistories, when: { query: { order: countersign } }, answer: { status: 400, body: {} } } | 20 ok, 1 drift, 0 differ | ✗ SE.7  error: *missing
{ on: listCreditHistories, when: { query: { user_type: COUNTERSIGN } }, answer: { status: 307, headers: { location: 'https://x.example.test/y?z=1' } } } | 20 ok, 1 drift, 0 differ | ✗ SU.3  status: *user_type=COUNTERSIGN *307*200*'https://x.example.test/y?z=1'
{ on: listCreditHistories, when: { query: { organization_uuid: { absent: true } } }, answer: { status: 418, body: { detail: 'Ask ada@example.test or <bob@example.test>.' } } } | 17 ok, 4 drift, 0 differ | ✗ S5.3, SE.1, SE.7, SE.8  status: *'organization_uuid'*418*400*'Ask …@… or <…@…>.' | listCreditHistories  detail (string)
{ on: listCreditHistories, when: { query: { order: countersign } }, answer: { status: 300, body: { detail: Choose. } } } | 20 ok, 1 drift, 0 differ | ✗ S5.5  status: *order=countersign *300*400
{ on: searchProtectedAttachments, when: { query: { user_type: { absent: true } } }, answer: { status: 399, headers: { location: /login }, body: null } } | 17 ok, 3 drift, 0 differ | ✗ SU.2, SA.6, SE.1  status: *'user_type'*399*400*/login'
{ on: searchProtectedAttachments, when: { query: { 'keyword[sample_1]': { absent: true } } }, answer: { status: 403, body: { error: [No] } } } | 18 ok, 2 drift, 0 differ | ✗ S4.2, SE.1  status: *'keyword[sample_1]'*403*400 | ~ I-02  error: 'error' must be an object with code, message, not […].
{ on: verifyDocument, when: { query: { user_type: { absent: true } } }, answer: { status: 405, body: [] } } | 17 ok, 0 drift, 3 differ | ~ SU.1, SA.6, SE.1, I-04  status: *'user_type'*405*400 | ~ I-02  body: The body must be an object with error, not [].
{ on: verifyDocument, when: { query: { user_type: countersign } }, answer: { status: 201, headers: { content-type: text/plain }, body: 'Fine.' } } | 16 ok, 4 drift, 0 differ | ✗ SU.1, SA.6, SE.1  status: *'countersign'*'user_type'*201*400 | ✗ S0.3  headers.content-type: The content type must be application/json, not 'text/plain'. | ✗ S0.3  body: The body must be JSON, not text.
{ on: verifyDocument, when: { body: { user_uuid: { absent: true } } }, answer: { status: 400, body: { error: { code: 409, message: null } } } } | 20 ok, 0 drift, 0 differ | ~ I-02  error.message: *'error.message'
{ on: verifyDocument, when: { token: { matches: ^(wrong-token)?$ } }, answer: { status: 401, body: { ok: false } } }, { on: verifyDocument, when: { token: { absent: true } }, answer: { status: 401, body: { ok: false } } }, { on: verifyDocument, answer: { status: 404, body: { ok: false, more: [{ n: 1 }, two] } } } | 7 ok, 0 drift, 7 differ | ~ I-02  error: *'error'
{ on: verifyDocument, when: { headers: { accept: application/json } }, answer: {} }, { on: verifyDocument, answer: { status: 406, headers: { content-type: text/html }, body: '<p>' } } | 20 ok, 0 drift, 0 differ
{ on: searchProtectedAttachments, when: { token: { matches: . }, headers: { user-token: token-admin } }, answer: { status: 401, body: { error: { code: 401, message: No token. } } } } | 19 ok, 1 drift, 0 differ | ✗ SA.3  status: *'user-token'*401, not 200. Its message: 'No token.'.
{ on: verifyDocument, when: { body: { code: { startsWith: countersign }, file: { absent: true } } }, answer: { status: 403, body: { error: { code: 403, message: Not yours. } } } } | 19 ok, 1 drift, 0 differ | ✗ SE.3  status: *403, not 404. Its message: 'Not yours.'.
{ on: verifyDocument, answer: { status: 404, headers: { content-type: application/json }, body: "\\ufeff{\\"error\\": {\\"code\\": 404, \\"message\\": \\"No.\\"}}" } } | 6 ok, 1 drift, 7 differ | ✗ S0.3  body: The body begins with a byte order mark, which JSON forbids (RFC 8259, section 8.1).
{ on: uploadSignature, when: { body: { source: { matches: . } } }, answer: { status: 200, body: { status: free credit, message: true, signature_id: 3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31, extra: null, list: [1], more: { b: 1.5, a: x } } } } | 16 ok, 1 drift, 0 differ | ✗ S1.7, I-22  message: 'message' must be text, not true. | uploadSignature  extra (null) | uploadSignature  list (list) | uploadSignature  more (object)
{ on: uploadSignature, answer: { status: 200, body: { status: free credit, message: Done, signature_id: 3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31 } } } | 12 ok, 5 drift, 0 differ | the result of uploadSignature: A call without 'file'
{ on: uploadSignature, answer: { status: 302, headers: { location: /login }, body: {} } } | 4 ok, 12 drift, 0 differ | ✗ SA.2, S1.1, S0.1, S0.2, SU.1, SA.6  status: *302*200* It redirects to '*/login'. | ✗ S1.4, S1.5, S1.6  status: A call with source, uuid and type *302*200*/login' | S1.7
{ on: addOrganizationMember, answer: { status: 200, body: { status: queued_up, message: Later } } } | 10 ok, 6 drift, 0 differ | an invitation of amelie.vestergaard@example.test to organization 1
{ on: addOrganizationMember, when: { body: { 'data[0][role]': Admin } }, answer: { status: 400 } } | 16 ok, 1 drift, 0 differ | ✗ S6.4  status: An invitation with the role Admin *400*200
{ on: addOrganizationMember, when: { token: { absent: true } }, answer: { status: 405, body: { error: { code: 405, message: Not so. } } } } | 25 ok, 2 drift, 0 differ | --allow-writes --token-without-permission token-member --only addOrganizationMember,verifyDocument | ✗ SA.4, SA.1  status: A call without a token is answered with 405, not 401. Its message: 'Not so.'.
{ on: addOrganizationMember, answer: { status: 400 } } | 12 ok, 0 drift, 0 differ
{ on: createSigningLink, answer: { status: 200, body: [] } } | 7 ok, 5 drift, 0 differ | ✗ S7.4, S0.3  body: *not [].
{ on: createSigningLink, when: { path: { uuid: { startsWith: a4e2f6d8 } } }, answer: {} }, { on: createSigningLink, answer: { status: 409, body: { error: { code: 409, message: No project. } } } } | 11 ok, 0 drift, 2 differ | ~ S7.2, S7.6, I-11  status: *'countersign'*'uuid'*409*400 | ~ S7.2, S7.6, I-11  status: *'uuid'*409*404
{ on: createSigningLink, when: { query: { email: { matches: . } }, path: { uuid: { startsWith: a4e2 } } }, answer: { status: 404 } } | 9 ok, 0 drift, 0 differ | --allow-writes --only createSigningLink
{ on: createSigningLink, when: { query: { email: { matches: . } }, path: { uuid: { startsWith: a4e2 } } }, answer: { status: 404 } } | 20 ok, 7 drift, 0 differ | --allow-writes --only createSigningLink,listCreditHistories | ✗ S7.4, SU.4, S7.1  status: A call without 'user_type' *404*200
{ on: updateSubOrganizationMember, when: { token: token-member }, answer: { status: 404 } } | 23 ok, 0 drift, 2 differ | --token-without-permission token-member --only updateSubOrganizationMember,verifyDocument | ~ SA.5, SE.2, I-03  status: *404*403
{ on: updateSubOrganizationMember, when: { token: token-member }, answer: { status: 404 } } | 28 ok, 2 drift, 0 differ | --allow-writes --token-without-permission token-member --only updateSubOrganizationMember,verifyDocument | ✗ SA.5, SE.2  status: *404*403
{ on: verifyDocument, answer: { status: 200, body: { status: Seen it, message: Yes., document: { code: null, user_uuid: 17, verified_at: '2026-01-15T09:30:00+02:00' } } } } | 9 ok, 11 drift, 0 differ | ✗ S3.7  status: 'status' must be verified, not text. | ✗ S3.6  document.code: *'document.code' | ✗ S3.6  document.user_uuid: 'document.user_uuid' must be text, not 17. | ✗ S0.6  document.verified_at: *not date-time with an offset.
{ on: verifyDocument, answer: { status: 200, body: { status: fine, message: '', document: { code: other, user_uuid: other, verified_at: 2026-01-15T09:30:00Z } } } } | 9 ok, 11 drift, 0 differ | ✗ S3.7  status: 'status' must be verified, not 'fine'. | ✗ S3.5, S3.6  document.user_uuid: The answer has a different 'user_uuid' from the request. | ✗ S3.3, S3.6  document.code: *'code'
{ on: searchProtectedAttachments, answer: { status: 200, headers: { content-type: text/html }, body: '<p>' } } | 7 ok, 8 drift, 0 differ | ✗ S0.3  headers.content-type: *'text/html' | ✗ S0.3  body: 
{ on: searchProtectedAttachments, answer: { status: 200, body: { message: Found., data: [{ id: 1, status: open, name: one }, { id: 2, status: open, name: two }, { id: 3, status: shut, name: three }] } } } | 10 ok, 10 drift, 0 differ | ✗ S4.5, SE.3  data: *3 | ✗ S4.8  data[*].status, 3 of 3: No attachment has the status 'protected'; found: text, text. | ✗ S4.7, S4.9  data[*].project_file_meta, * of *: *missing
{ on: searchProtectedAttachments, when: { query: { 'keyword[sample_1]': contract, 'keyword[sample_2]': { absent: true } } }, answer: { status: 200, body: { message: '', data: [{ id: 1, status: open, name: Contract, type: ' ' }, { id: 2, status: open, name: Contract }] } } } | 14 ok, 5 drift, 0 differ | ✗ S4.7  data[*].dna, * of *: *missing | ✗ S4.7  data[*].type, * of *: *missing | S4.8  Too few attachments were found*
{ on: searchProtectedAttachments, when: { query: { 'keyword[sample_2]': contract, 'keyword[sample_3]': { absent: true } } }, answer: { status: 200, body: { message: '', data: [] } } }, { on: searchProtectedAttachments, when: { query: { 'keyword[sample_2]': contract, 'keyword[sample_4]': { absent: true } } }, answer: { status: 404 } } | 18 ok, 2 drift, 0 differ | ✗ S4.3, S4.5  data: A search with the same keyword 2 times does not find all | ✗ S4.3  status: A search with the same keyword 3 times *404*200
{ on: searchProtectedAttachments, when: { query: { 'keyword[sample_1]': { startsWith: countersign } } }, answer: { status: 404 } }, { on: searchProtectedAttachments, when: { token: {matches: .}, headers: { user-token: token-admin } }, answer: { status: 200, body: { message: '', data: ${attachments('9 protected Lease contract')} } } }, { on: searchProtectedAttachments, when: { query: { 'keyword[sample_4]': { absent: true } } }, answer: { status: 200, body: { message: '', data: ${attachments('1 protected Lease contract', '2 open Lease other', '3 open Rent other')} } } } | 13 ok, 7 drift, 0 differ | ✗ S4.3, S4.5  data: The second keyword * | ✗ S4.3, S4.5  data: The third keyword * | ✗ SA.3  data: The token finds different attachments in 'user-token' than in 'Authorization'.
{ on: searchProtectedAttachments, when: { token: { matches: a|m }, query: { user_type: ENTERPRISE_API, 'keyword[sample_1]': contract, 'keyword[sample_2]': { absent: true } } }, answer: { status: 200, body: { message: '', data: ${attachments('1 protected Lease contract')} } } } | 19 ok, 1 drift, 0 differ | ✗ S4.5  data: Another user finds this user's documents.
{ on: searchProtectedAttachments, when: { token: token-nobody }, answer: {} } | 19 ok, 0 drift, 0 differ | --token-without-permission token-nobody --only searchProtectedAttachments | S4.5  It takes another user to check that a search finds only the caller's documents. The call with --token-without-permission is answered with 401.
{ on: createSigningLink, when: { path: { uuid: { startsWith: a4e2 } }, query: { email: { matches: . } } }, answer: { status: 201, body: { link: 'https://a.test/1' } } } | 11 ok, 2 drift, 0 differ | ✗ S7.4  status: A call is answered with 201, not 200.
{ on: addOrganizationMember, when: { query: { user_type: ENTERPRISE_API }, body: { 'data[0][email]': { matches: -(new|admin)@ }, 'data[0][first_name]': Ada, 'data[0][last_name]': Lovelace, 'data[0][role]': { matches: M|A }, 'data[0][organization_id]': '1' } }, answer: { status: 202, body: { status: queued, message: Later } } } | 17 ok, 0 drift, 0 differ | ~ I-01  status: A call is answered with 202, not 200.
{ on: listCreditHistories, answer: { status: 204 } } | 7 ok, 7 drift, 0 differ | ✗ S5.6, S0.3  status: *204*200 | ✗ S0.3  headers.content-type: The content type must be application/json, not nothing. | ✗ S0.3  body: The body is empty: it must be JSON.
${page(1, 2, 5, 1, 2)}, ${page(2, 2, 5, 3, 4)}, ${page(3, 2, 5, 5)}, ${page(4, 2, 5)} | 20 ok, 0 drift, 0 differ
${page(1, 3, 5, 1, 2, 3)}, ${page(2, 3, 6, 3)}, ${page(3, 0, 5)} | 16 ok, 4 drift, 0 differ | ✗ S5.7  total: The total is 5 on the first page, but not on all others. | ✗ S5.2, S5.7  histories: Page 2 contains 1 of 3 results, although the total is 5. | ✗ S5.2, S5.6  per_page: *3*0 | ✗ S5.9, S5.2  histories[*].id, 2 of 2:  | ✗ S5.7  total: *5*4
{ on: listCreditHistories, when: { query: { page: '1', per_page: { matches: . }, organization_uuid: { startsWith: 1c9 } } }, answer: { status: 200, body: { page: 1, per_page: 10, total: 1, histories: [${JSON.stringify(record(1))}] } } }, { on: listCreditHistories, when: { query: { page: '2', organization_uuid: { startsWith: 1c9 } } }, answer: { status: 200, body: { page: 2, per_page: 10, total: 1, histories: [] } } } | 15 ok, 3 drift, 0 differ | ✗ S5.2, S5.6  per_page: *3*10 | ✗ SU.3  histories[*].user_type, 1 of 1:  | S5.4  Sorting by received_by is accepted, but its effect could not be seen. | S5.5  Both orders are accepted, but the list is too short to show them. | S5.10  No record is a purchase.
{ on: listCreditHistories, answer: { status: 200, body: { page: 2, per_page: 4, total: 9, histories: ${odd(1, 1, 2, 3)} } } } | 7 ok, 13 drift, 0 differ | ✗ S5.2, S5.6  page: *1*2 | ✗ S5.2  histories: A page of 3 results contains 4. | ✗ S5.9, S5.2  histories[*].id, 2 of 2: A record is on two pages, or two records have the same identifier. | ✗ S5.7  total: *9*12 | ✗ S5.3  histories: *4 | ✗ S5.3  histories[*].organization_uuid, * of *: The record belongs to another organization than the requested one. | ✗ S5.9  histories[*].currency, * of *: The currency must be a code such as EUR. | ✗ S5.10  histories[*].type, 1 of 1: The value 'purchase' does not occur among text, text, text, text. | ✗ SU.3  histories[*].user_type, 8 of 8: A call with user_type=ENTERPRISE_API is answered with records of another type. | ✗ S5.5  histories[*].received_by, 1 of 1: A list with sort=received_by is in the opposite order. | ✗ S5.5  histories[*].created_at, 1 of 1: A list with sort=created_at is in the opposite order. | ✗ S5.5  histories[*].amount, 1 of 1: A list with sort=amount is in the opposite order. | ✗ S5.5  histories: order=asc and order=desc give the same list. | ✗ S5.8  histories[*].organization_uuid, * of *: 'histories[*].organization_uuid' must be a UUID such as 3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31, not text. | ✗ S5.8  histories[*].amount, * of *: 'histories[*].amount' must be a number, not text. | ✗ S0.6  histories[*].created_at, * of *: 'histories[*].created_at' must be an ISO 8601 time in UTC such as 2026-01-15T09:30:00.000Z, not text. | ✗ S5.8  histories[*].details.source, * of *: *missing | ✗ S5.8  histories[*].details.note, * of *: *missing | listCreditHistories  histories[*].received_by (string)
{ on: searchProtectedAttachments, when: { query: { 'keyword[sample_2]': { startsWith: countersign }, 'keyword[sample_3]': { absent: true } } }, answer: { status: 200 } }, { on: searchProtectedAttachments, when: { query: { 'keyword[sample_1]': { startsWith: countersign }, 'keyword[sample_2]': contract } }, answer: { status: 200 } } | ok, 0 drift, 1 differs | ~ S4.5, I-05  data: *only one of its keywords
{ on: searchProtectedAttachments, when: { query: { 'keyword[sample_1]': { startsWith: countersign }, 'keyword[sample_2]': contract } }, answer: { status: 200 } } | 2 drift, 0 differ | data: The first keyword makes no difference.
{ on: listCreditHistories, when: { query: { user_type: ENTERPRISE_API } }, answer: { status: 200, body: { page: 1, per_page: 10, total: 0, histories: [] } } } | 1 drift | ✗ SU.3  histories: *finds no records
{ on: listCreditHistories, when: { query: { sort: created_at, order: asc } }, answer: { status: 200, body: { page: 1, per_page: 10, total: 28, histories: ${JSON.stringify([3, 1, 4, 2, 5].map(record))} } } } | 1 drift | ✗ S5.5  histories[*].created_at, 1 of 1: *only one of
${page(1, 3, 5, 1, 2, 3)}, ${page(2, 2, 5, 4, 5)}, ${page(3, 0, 5)} | 2 drift | ✗ S5.2, S5.6  per_page
${page(1, 3, 5, 1, 2, 3)}, ${page(2, 3, 5, 4, 5)}, ${page(3, 3, 5, 4, 5)} | ok, 0 drift | ~ I-06  histories: A page past the end
`

t.test('verify finds each drift of a provider, and reports the expected lines and counts', async (t) => {
  const mock = await countersign(t)
  for (const [at, row] of table.trim().split('\n').entries()) {
    const [drift = '', totals = '', ...cells] = row.split(' | ')
    const sandbox = await mock.sandbox(`p${at}`)
    const [rule, ...more] = drift.startsWith('{') ? parse(`[${drift}]`) : []
    const rules = [rule, ...more].map((one) => ({ offContract: true, ...one, when: { token: TOKEN, ...one?.when } }))
    if (rule) await sandbox.scenarios.define('drift', { rules, active: true })
    else await sandbox.scenarios.activate(drift.includes('/') ? `mutant:${drift}` : drift)
    const only = rule?.on ?? drift.split(':')[0]
    const defaults = `--allow-writes --token-without-permission token-member --only ${only}`
    const flags = cells.find((cell) => cell.startsWith('--')) ?? defaults
    const { code, text } = await verify(t, sandbox.url, ...flags.split(' '))
    t.equal(code, / 0 drift/.test(totals) ? 0 : 1, `${drift}: the status`)
    const lines = text.split('\n')
    for (const part of [totals, ...cells.filter((cell) => cell !== flags)]) {
      const isReported = lines.some((line) => fits(line, `*${part}*`))
      t.ok(isReported, `${drift}: ${part}`, { text })
    }
  }
})
