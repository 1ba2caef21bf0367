import { deepFreeze } from './freeze.js'

interface Statement {
  readonly id: `S${string}.${number}`
  readonly text: string
  /** Whether it names something that the document does not show. */
  readonly notShown?: true
}

/** The ids never change their meaning. */
export const statements = deepFreeze([
  // Conventions
  { id: 'S0.1', text: "Paths are relative to the service's base address; path variables are written `{name}`." },
  { id: 'S0.2', text: 'Bodies are `multipart/form-data`.' },
  { id: 'S0.3', text: 'Response bodies are JSON.' },
  { id: 'S0.4', text: 'Paths begin with `/api/v2`, except `/client/signature`, which has no version prefix.' },
  {
    id: 'S0.5',
    text: 'Further operations; version policy and negotiation; rate limits; upload size limits; the largest per_page.',
    notShown: true,
  },
  { id: 'S0.6', text: 'Timestamps of documents and credit records are ISO 8601 in UTC.' },
  // Authentication
  { id: 'SA.1', text: 'Every operation requires a valid user token.' },
  { id: 'SA.2', text: 'The token is sent as `Authorization: Bearer <USER_TOKEN>`.' },
  { id: 'SA.3', text: 'The project search is also described with the header `user-token: <USER_TOKEN>`.' },
  { id: 'SA.4', text: 'A missing or invalid token is answered 401, on all operations.' },
  {
    id: 'SA.5',
    text: 'Updating a member also requires the permission to manage sub-organization members; without it 403.',
  },
  { id: 'SA.6', text: '`user_type=ENTERPRISE_API` selects the enterprise API user kind where it is required.' },
  { id: 'SA.7', text: 'How tokens are issued.', notShown: true },
  // user_type
  { id: 'SU.1', text: 'Required, equal to `ENTERPRISE_API`, as a query parameter of operations 1, 2, 3 and 6.' },
  { id: 'SU.2', text: 'Required on the project search (4), same kind of value.' },
  { id: 'SU.3', text: 'Optional on credit histories (5), where it filters by user type.' },
  { id: 'SU.4', text: 'The signing link (7) does not take it.' },
  // Errors
  {
    id: 'SE.1',
    text: '400: missing or invalid parameters or input; operations 2, 3, 4, 5 (missing required parameter), 6.',
  },
  { id: 'SE.2', text: '403: insufficient permissions; operation 2.' },
  {
    id: 'SE.3',
    text: '404: sub-organization or member not found (2); document not found (3); no matching documents (4).',
  },
  { id: 'SE.4', text: '409: the user exists already in the organization (6).' },
  { id: 'SE.5', text: '422: required fields missing or invalid (1); the document could not be verified (3).' },
  { id: 'SE.6', text: '500: unexpected server error; operations 2, 4, 6.' },
  {
    id: 'SE.7',
    text: "Credit histories' error body: an object `error` with `code` (integer, the status) and `message` (string).",
  },
  { id: 'SE.8', text: 'For a missing required parameter of credit histories the message names the parameter.' },
  { id: 'SE.9', text: 'The error body of the other operations.', notShown: true },
  // Upload signature
  { id: 'S1.1', text: '`POST /client/signature`, multipart/form-data.' },
  { id: 'S1.2', text: '`file`: a file, required; the signature image.' },
  { id: 'S1.3', text: 'PNG is recommended.' },
  { id: 'S1.4', text: '`source`: string, optional; the origin of the signature (a drawing, for instance).' },
  { id: 'S1.5', text: '`uuid`: string, optional.' },
  { id: 'S1.6', text: '`type`: string, optional; a kind label.' },
  { id: 'S1.7', text: 'Success: `status` (string), `message` (string), `signature_id` (string).' },
  { id: 'S1.8', text: "The image is kept with the caller's account, for use in signing." },
  {
    id: 'S1.9',
    text: 'Allowed values of `source` and `type` beyond a sample; stored fields beyond `signature_id`.',
    notShown: true,
  },
  // Update a sub-organization member
  {
    id: 'S2.1',
    text: '`PUT /api/v2/sub-organizations/{subOrganizationUuid}/members/{subOrgMemberId}`, multipart/form-data.',
  },
  { id: 'S2.2', text: "`subOrganizationUuid`: string, the sub-organization's identifier." },
  { id: 'S2.3', text: "`subOrgMemberId`: string or integer, the member's identifier." },
  { id: 'S2.4', text: '`first_name`, `last_name`: strings, optional; the new names.' },
  { id: 'S2.5', text: '`role`: optional, `Admin` or `Member`.' },
  { id: 'S2.6', text: 'Only the fields sent are changed; others remain.' },
  { id: 'S2.7', text: 'Any role may become any role.' },
  {
    id: 'S2.8',
    text: 'Success: `status` (string), `message` (string), `data` with `id` (integer), `first_name`, `last_name`, `role` (strings).',
  },
  // Verify a document
  { id: 'S3.1', text: '`POST /api/v2/verifications/document/verify`, multipart/form-data.' },
  { id: 'S3.2', text: '`file`: a PDF, conditional.' },
  { id: 'S3.3', text: '`code`: string, conditional; the document code, obtainable from the document vault.' },
  { id: 'S3.4', text: 'At least one of `file` and `code` is present.' },
  { id: 'S3.5', text: '`user_uuid`: string, required; the UUID of the user.' },
  {
    id: 'S3.6',
    text: 'Success: `status`, `message` (strings; the message is human-readable text), `document` with `code`, `user_uuid`, `verified_at` (strings).',
  },
  { id: 'S3.7', text: '`status` is `verified` on success.' },
  { id: 'S3.8', text: 'Other values of `status`.', notShown: true },
  // Search protected attachments
  { id: 'S4.1', text: '`GET /api/v2/projects/protect`, no body.' },
  { id: 'S4.2', text: '`keyword[sample_1]`: string, required.' },
  { id: 'S4.3', text: '`keyword[sample_2]`, `keyword[sample_3]`: strings, optional.' },
  { id: 'S4.4', text: 'At most three keywords.' },
  { id: 'S4.5', text: 'It returns the protected documents of the user that match the keywords.' },
  { id: 'S4.6', text: 'Success: `message` (string), `data` (array of attachments).' },
  {
    id: 'S4.7',
    text: 'An attachment: `id`, `project_file_id`, `blockchain_id` (integers); `project_uuid`, `reference_number`, `type`, `category`, `status`, `name`, `file_name`, `storage`, `path`, `dna`, `project_file_meta`, `blockchain_uuid`, `event`, `network` (strings). `dna` is a unique fingerprint of the document; `type`, `storage`, `event` and `network` are labels.',
  },
  { id: 'S4.8', text: '`status`: the value `protected` occurs.' },
  { id: 'S4.9', text: '`project_file_meta` is serialized JSON.' },
  // Credit histories
  { id: 'S5.1', text: '`GET /api/v2/credits/histories`, no body.' },
  { id: 'S5.2', text: '`page`, `per_page`: integers, required; page number and results per page.' },
  { id: 'S5.3', text: '`organization_uuid`: string, required; the UUID of the organization whose history is read.' },
  { id: 'S5.4', text: '`sort`: string, optional; a field to sort by, such as `received_by`.' },
  { id: 'S5.5', text: '`order`: `asc` or `desc`, optional.' },
  { id: 'S5.6', text: 'Success: `page`, `per_page`, `total` (integers), `histories` (array of records).' },
  { id: 'S5.7', text: '`total` is the total number of records.' },
  {
    id: 'S5.8',
    text: 'A record: `id`, `organization_uuid`, `type`, `currency`, `created_at`, `user_type` (strings), `amount` (number), `details` with `source` and `note` (strings).',
  },
  { id: 'S5.9', text: '`id` has the form of a UUID; `currency` is a currency code.' },
  { id: 'S5.10', text: 'Kinds cover purchase, allocation, return and free credit; the value `purchase` occurs.' },
  {
    id: 'S5.11',
    text: 'Allowed values of `sort` beyond one example; spellings of the kinds beyond `purchase`.',
    notShown: true,
  },
  // Add organization member
  { id: 'S6.1', text: '`POST /api/v2/organization/members/add`, multipart/form-data.' },
  { id: 'S6.2', text: "The member's entry stands at index 0 of a `data` list." },
  {
    id: 'S6.3',
    text: '`data[0][email]`: string, required; the e-mail of the member to add. `data[0][first_name]`, `data[0][last_name]`: strings, required.',
  },
  { id: 'S6.4', text: '`data[0][role]`: string, required; e.g. `Member`, admin also possible.' },
  { id: 'S6.5', text: '`data[0][organization_id]`: string or integer, required; numeric in use.' },
  {
    id: 'S6.6',
    text: 'An e-mail invitation is sent to the user, who can accept or decline; it is pending until then.',
  },
  { id: 'S6.7', text: 'Success: `status` (string), `message` (string).' },
  { id: 'S6.8', text: 'The invitation is the only outbound effect; webhooks are not shown.' },
  // Create a signing link
  { id: 'S7.1', text: '`POST /api/v2/projects/{uuid}/link`, no body.' },
  { id: 'S7.2', text: "`uuid`: string, required; the project's UUID." },
  { id: 'S7.3', text: "`email`: string, query, required; the recipient's address." },
  { id: 'S7.4', text: 'Success: 200 with a JSON object that holds the link and related metadata.' },
  {
    id: 'S7.5',
    text: 'The link is unique for one project and one recipient, and intended to be sent to the recipient by e-mail.',
  },
  {
    id: 'S7.6',
    text: 'Failure: 4xx or 5xx with an error object, for instance for an invalid UUID or a missing e-mail.',
  },
  { id: 'S7.7', text: 'The fields of the response.', notShown: true },
] as const satisfies readonly Statement[])

export type StatementId = (typeof statements)[number]['id']
