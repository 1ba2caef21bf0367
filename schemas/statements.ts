import type { Statement } from '../src/engine/contract/citable-texts.js'
import { deepFreeze } from '../src/engine/contract/freeze.js'

/** The ids are public: do not reuse an id for another statement. */
const texts = {
  // Conventions
  'S0.1': "Paths are relative to the service's base address; path variables are written `{name}`.",
  'S0.2': 'Bodies are `multipart/form-data`.',
  'S0.3': 'Response bodies are JSON.',
  'S0.4': 'Paths begin with `/api/v2`, except `/client/signature`, which has no version prefix.',
  'S0.5': 'Further operations; version policy and negotiation; rate limits; upload size limits; the largest per_page.',
  'S0.6': 'Timestamps of documents and credit records are ISO 8601 in UTC.',
  // Authentication
  'SA.1': 'Every operation requires a valid user token.',
  'SA.2': 'The token is sent as `Authorization: Bearer <USER_TOKEN>`.',
  'SA.3': 'The project search is also described with the header `user-token: <USER_TOKEN>`.',
  'SA.4': 'A missing or invalid token is answered 401, on all operations.',
  'SA.5': 'Updating a member also requires the permission to manage sub-organization members; without it 403.',
  'SA.6': '`user_type=ENTERPRISE_API` selects the enterprise API user kind where it is required.',
  'SA.7': 'How tokens are issued.',
  // user_type
  'SU.1': 'Required, equal to `ENTERPRISE_API`, as a query parameter of operations 1, 2, 3 and 6.',
  'SU.2': 'Required on the project search (4), same kind of value.',
  'SU.3': 'Optional on credit histories (5), where it filters by user type.',
  'SU.4': 'The signing link (7) does not take it.',
  // Errors
  'SE.1': '400: missing or invalid parameters or input; operations 2, 3, 4, 5 (missing required parameter), 6.',
  'SE.2': '403: insufficient permissions; operation 2.',
  'SE.3': '404: sub-organization or member not found (2); document not found (3); no matching documents (4).',
  'SE.4': '409: the user exists already in the organization (6).',
  'SE.5': '422: required fields missing or invalid (1); the document could not be verified (3).',
  'SE.6': '500: unexpected server error; operations 2, 4, 6.',
  'SE.7': "Credit histories' error body: an object `error` with `code` (integer, the status) and `message` (string).",
  'SE.8': 'For a missing required parameter of credit histories the message names the parameter.',
  'SE.9': 'The error body of the other operations.',
  // Upload signature
  'S1.1': '`POST /client/signature`, multipart/form-data.',
  'S1.2': '`file`: a file, required; the signature image.',
  'S1.3': 'PNG is recommended.',
  'S1.4': '`source`: string, optional; the origin of the signature (a drawing, for instance).',
  'S1.5': '`uuid`: string, optional.',
  'S1.6': '`type`: string, optional; a kind label.',
  'S1.7': 'Success: `status` (string), `message` (string), `signature_id` (string).',
  'S1.8': "The image is kept with the caller's account, for use in signing.",
  'S1.9': 'Allowed values of `source` and `type` beyond a sample; stored fields beyond `signature_id`.',
  // Update a sub-organization member
  'S2.1': '`PUT /api/v2/sub-organizations/{subOrganizationUuid}/members/{subOrgMemberId}`, multipart/form-data.',
  'S2.2': "`subOrganizationUuid`: string, the sub-organization's identifier.",
  'S2.3': "`subOrgMemberId`: string or integer, the member's identifier.",
  'S2.4': '`first_name`, `last_name`: strings, optional; the new names.',
  'S2.5': '`role`: optional, `Admin` or `Member`.',
  'S2.6': 'Only the fields sent are changed; others remain.',
  'S2.7': 'Any role may become any role.',
  'S2.8':
    'Success: `status` (string), `message` (string), `data` with `id` (integer), `first_name`, `last_name`, `role` (strings).',
  // Verify a document
  'S3.1': '`POST /api/v2/verifications/document/verify`, multipart/form-data.',
  'S3.2': '`file`: a PDF, conditional.',
  'S3.3': '`code`: string, conditional; the document code, obtainable from the document vault.',
  'S3.4': 'At least one of `file` and `code` is present.',
  'S3.5': '`user_uuid`: string, required; the UUID of the user.',
  'S3.6':
    'Success: `status`, `message` (strings; the message is human-readable text), `document` with `code`, `user_uuid`, `verified_at` (strings).',
  'S3.7': '`status` is `verified` on success.',
  'S3.8': 'Other values of `status`.',
  // Search protected attachments
  'S4.1': '`GET /api/v2/projects/protect`, no body.',
  'S4.2': '`keyword[sample_1]`: string, required.',
  'S4.3': '`keyword[sample_2]`, `keyword[sample_3]`: strings, optional.',
  'S4.4': 'At most three keywords.',
  'S4.5': 'It returns the protected documents of the user that match the keywords.',
  'S4.6': 'Success: `message` (string), `data` (array of attachments).',
  'S4.7':
    'An attachment: `id`, `project_file_id`, `blockchain_id` (integers); `project_uuid`, `reference_number`, `type`, `category`, `status`, `name`, `file_name`, `storage`, `path`, `dna`, `project_file_meta`, `blockchain_uuid`, `event`, `network` (strings). `dna` is a unique fingerprint of the document; `type`, `storage`, `event` and `network` are labels.',
  'S4.8': '`status`: the value `protected` occurs.',
  'S4.9': '`project_file_meta` is serialized JSON.',
  // Credit histories
  'S5.1': '`GET /api/v2/credits/histories`, no body.',
  'S5.2': '`page`, `per_page`: integers, required; page number and results per page.',
  'S5.3': '`organization_uuid`: string, required; the UUID of the organization whose history is read.',
  'S5.4': '`sort`: string, optional; a field to sort by, such as `received_by`.',
  'S5.5': '`order`: `asc` or `desc`, optional.',
  'S5.6': 'Success: `page`, `per_page`, `total` (integers), `histories` (array of records).',
  'S5.7': '`total` is the total number of records.',
  'S5.8':
    'A record: `id`, `organization_uuid`, `type`, `currency`, `created_at`, `user_type` (strings), `amount` (number), `details` with `source` and `note` (strings).',
  'S5.9': '`id` has the form of a UUID; `currency` is a currency code.',
  'S5.10': 'Kinds cover purchase, allocation, return and free credit; the value `purchase` occurs.',
  'S5.11': 'Allowed values of `sort` beyond one example; spellings of the kinds beyond `purchase`.',
  // Add organization member
  'S6.1': '`POST /api/v2/organization/members/add`, multipart/form-data.',
  'S6.2': "The member's entry stands at index 0 of a `data` list.",
  'S6.3':
    '`data[0][email]`: string, required; the e-mail of the member to add. `data[0][first_name]`, `data[0][last_name]`: strings, required.',
  'S6.4': '`data[0][role]`: string, required; e.g. `Member`, admin also possible.',
  'S6.5': '`data[0][organization_id]`: string or integer, required; numeric in use.',
  'S6.6': 'An e-mail invitation is sent to the user, who can accept or decline; it is pending until then.',
  'S6.7': 'Success: `status` (string), `message` (string).',
  'S6.8': 'The invitation is the only outbound effect; webhooks are not shown.',
  // Create a signing link
  'S7.1': '`POST /api/v2/projects/{uuid}/link`, no body.',
  'S7.2': "`uuid`: string, required; the project's UUID.",
  'S7.3': "`email`: string, query, required; the recipient's address.",
  'S7.4': 'Success: 200 with a JSON object that holds the link and related metadata.',
  'S7.5': 'The link is unique for one project and one recipient, and intended to be sent to the recipient by e-mail.',
  'S7.6': 'Failure: 4xx or 5xx with an error object, for instance for an invalid UUID or a missing e-mail.',
  'S7.7': 'The fields of the response.',
} as const satisfies { readonly [id: `S${string}.${number}`]: string }

type StatementId = keyof typeof texts

/** Topics that the document mentions without specifying them. */
const notShown = ['S0.5', 'SA.7', 'SE.9', 'S1.9', 'S3.8', 'S5.11', 'S7.7'] as const satisfies StatementId[]

/** A statement that a service can break. */
export type ShownStatementId = Exclude<StatementId, (typeof notShown)[number]>

const isNotShown = (id: string) => (notShown as readonly string[]).includes(id)

const ids = Object.keys(texts) as StatementId[]

export const statements: readonly Statement[] = deepFreeze(
  ids.map((id) => ({ id, text: texts[id], ...(isNotShown(id) && { notShown: true as const }) })),
)
