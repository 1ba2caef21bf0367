import { deepFreeze } from './freeze.js'

/** One numbered decision where the document is silent. */
interface Interpretation {
  readonly id: `I-${number}`
  readonly about: string
  readonly decision: string
  readonly reason: string
  /** Where users may differ: keys under `interpretations` of the config file. `readings.ts` has their values. */
  readonly switches?: readonly string[]
}

/** The decisions, in order. The README's table and the config file's switches derive from this list. */
export const interpretations = deepFreeze([
  {
    id: 'I-01',
    about: 'Success status',
    decision:
      'Operations 1–6 succeed with 200. `successStatus: 201` makes it 201; `{operation: status}` sets single operations.',
    reason: 'Only operation 7 names its status; a JSON success body and no other status are shown.',
    switches: ['successStatus'],
  },
  {
    id: 'I-02',
    about: 'Error body',
    decision:
      'The one error body shown (credit histories: `{error: {code, message}}`) serves all operations. Where the document shows no body, `errorBody: flat` gives `{status: "error", message}`, and an object is a template in which `{status}` and `{message}` are filled in; by operation if its keys are operations.',
    reason: 'One shape is shown; inventing a second one would be less honest.',
    switches: ['errorBody'],
  },
  {
    id: 'I-03',
    about: 'Order of checks',
    decision: '401, 403, then 400 or 422, then 404, then 409.',
    reason: 'The usual order: who are you, may you, is it well-formed, does it exist, does it clash.',
  },
  {
    id: 'I-04',
    about: '`user_type`',
    decision:
      "Absent, or not `ENTERPRISE_API`: the operation's invalid status (422 for the signature upload, else 400), or 400, 401 or 422 everywhere by `missingUserType`. In the credit histories it filters; the signing link ignores it. The `user_type` of the caller is not looked at.",
    reason: 'The document requires the value and lists no status of its own for it.',
    switches: ['missingUserType'],
  },
  {
    id: 'I-05',
    about: 'Keywords',
    decision:
      "Case-insensitive substrings of name, file_name, reference_number, category or type; all given ones must match (`keywordMatch: any`: one of them); only the caller's projects, and only attachments whose `status` is `protected` (`attachmentStatus: any`: whatever it is); no match is 404. An unknown `keyword[…]` key or more than three is 400, and so is an empty one (`emptyKeyword: ignore`: it limits nothing).",
    reason: '"The protected documents of the user that match the keywords"; how they match is not shown.',
    switches: ['keywordMatch', 'emptyKeyword', 'attachmentStatus'],
  },
  {
    id: 'I-06',
    about: 'Credit histories',
    decision:
      'Sorted by any field of the record or `received_by`, by default `created_at` descending, ties by id; records without the field come last. `order` without `sort` orders by `created_at`; `sort` without `order` is descending. An unknown order is 400, and so is an unknown sort (`unknownSort: ignore`: as if it were not sent). `page` and `per_page` are whole numbers from 1 to 9007199254740991. Past the end: an empty list and the true total. An unknown organization: an empty list (`unknownOrganization: 400` or `404`: that status). Kinds: `purchase`, `allocation`, `return`, `free_credit`.',
    reason: 'Allowed values are not shown beyond one example; 404 is not documented here.',
    switches: ['unknownSort', 'unknownOrganization'],
  },
  {
    id: 'I-07',
    about: 'Invitations',
    decision:
      'Role `Admin` or `Member` in any letter case; an unknown organization is 400 (`unknownInvitationOrganization: 404`: 404); a member is 409; a pending one is invited again with a success and a second mail (`pendingInvitation: conflict`: 409); an accepted one is a member; a declined one may be invited again; accepting or declining twice is refused.',
    reason: 'Only "user already in the organization" is documented as a conflict.',
    switches: ['pendingInvitation', 'unknownInvitationOrganization'],
  },
  {
    id: 'I-08',
    about: 'Verification',
    decision:
      "400: neither file nor code, no user_uuid, a file that is not a PDF. 404: a code or fingerprint that is unknown, or of a document that is not `user_uuid`'s (`verifyScope: anyone`: whose it is does not matter). 422: a damaged or encrypted PDF, a tampered one (its Info dictionary's `DocumentCode` is known, its bytes are not), file and code that disagree, a document whose status is not `verified`. `verified_at` is the world's clock.",
    reason: 'The three statuses are listed without their causes.',
    switches: ['verifyScope'],
  },
  {
    id: 'I-09',
    about: 'Signature image',
    decision:
      'Any image that the library `file-type` recognises by its content (such as PNG, JPEG, GIF, WebP, TIFF, AVIF, HEIC, JPEG XL or PSD), or an SVG; anything else, or an empty file, is 422. `signature_id` is a UUID.',
    reason: '"PNG recommended" allows other images.',
  },
  {
    id: 'I-10',
    about: 'Partial update',
    decision:
      'Absent fields stay; an empty name or role is 400 (`emptyName: absent`: as if it were not sent), as is a role other than `Admin` or `Member` (exact); no field at all is a success and changes nothing; a member id that is not an integer is 404.',
    reason: '"Only fields sent are changed": an empty string would erase a name by accident.',
    switches: ['emptyName'],
  },
  {
    id: 'I-11',
    about: 'Signing link',
    decision:
      'A malformed uuid, a missing or malformed e-mail: 400; an unknown project: 404; the same project and e-mail: the same link. Fields: `link`, `project_uuid`, `email`, `created_at`; `signingLinkBody` is a template for others, in which `{link}`, `{project_uuid}`, `{email}` and `{created_at}` are filled in.',
    reason: '"4xx or 5xx", and the response fields are not shown.',
    switches: ['signingLinkBody'],
  },
  {
    id: 'I-12',
    about: 'Unknown fields',
    decision: 'Extra fields and query keys are accepted and noted as violations; `--strict` refuses them.',
    reason: 'The document does not forbid them, and a client that sends them is likely mistaken.',
  },
  {
    id: 'I-13',
    about: 'Bodies that cannot be read',
    decision:
      "Another content type, no boundary, a cut-off body: the operation's invalid status, with a violation that says how to fix it.",
    reason: 'It is the client that errs, so never 500.',
  },
  {
    id: 'I-14',
    about: '500',
    decision: 'Never returned unless you ask for it.',
    reason: 'A mock that fails at random is no help.',
  },
  {
    id: 'I-15',
    about: '`user-token` header',
    decision: 'Read by the project search only; `Authorization` wins when both are sent.',
    reason: 'Only that operation is "also described" with it.',
  },
  {
    id: 'I-16',
    about: 'Size',
    decision: "Bodies of up to 50 MB (`--body-limit`); larger ones get the mock's own 413.",
    reason: 'Upload size limits are not shown.',
  },
  {
    id: 'I-17',
    about: 'Repeated keys',
    decision: 'A form field or query key sent twice is invalid.',
    reason: 'Which of the two would count is not shown.',
  },
  {
    id: 'I-18',
    about: 'Bearer scheme',
    decision: '`Bearer` in any letter case; any other scheme, or none, is 401.',
    reason: 'Authentication schemes are case-insensitive (RFC 9110, section 11.1).',
  },
  {
    id: 'I-19',
    about: 'Control characters',
    decision:
      'Invalid in names, codes and addresses, as is a text of white space alone. An e-mail address is one local part and one domain, without quotes, brackets and comments, of at most 254 characters.',
    reason: 'No such name exists, and they would reach mail headers.',
  },
  {
    id: 'I-20',
    about: 'Empty fields',
    decision:
      'A file part without a name and without bytes is as if it were not sent, and so is an empty optional text (`emptyFields: invalid`: it is invalid). An empty required text is invalid. Keywords, and the names and role of an update, have switches of their own (I-05, I-10).',
    reason: 'So HTML forms send a file input that nobody used, and every text input that nobody filled in.',
    switches: ['emptyFields'],
  },
  {
    id: 'I-21',
    about: 'Whose data',
    decision:
      "Callers reach what their own organization has: another organization's sub-organization is 403, its credit histories are those of an unknown organization, an invitation into it is one into an unknown organization, and its projects are unknown. `permissionReach: everywhere`: any token reaches all. A search finds the caller's own documents either way.",
    reason:
      'The document does not say whose data a token reaches; a service that kept organizations apart would do so everywhere.',
    switches: ['permissionReach'],
  },
  {
    id: 'I-22',
    about: 'Words and times of success bodies',
    decision:
      'The values of `status` and `message` are ours; `successWords: {operation: {status, message}}` sets others. Timestamps are in UTC, end in `Z` and have milliseconds (`timestamps: seconds`: they have none).',
    reason: 'Only keys and types are shown, and `verified` for a verification.',
    switches: ['successWords', 'timestamps'],
  },
  {
    id: 'I-23',
    about: 'Totals',
    decision: '`total` counts the records after the filter by user type.',
    reason: '"Total number of records": a page number is of use only within what is listed.',
  },
  {
    id: 'I-24',
    about: 'Encodings of bodies',
    decision:
      'Bodies and their parts are taken as they are sent. Invalid: a `Content-Encoding`; in a part, a `Content-Transfer-Encoding` other than `7bit`, `8bit` and `binary`, no `Content-Disposition: form-data`, or text that is not UTF-8 (or of the `charset` of its part). A part declared as `application/json` is decoded: `"Admin"` is the text Admin. White space after a boundary is skipped.',
    reason:
      'No encoding is mentioned, RFC 7578 deprecates those of parts, and to take what is encoded for the data itself would hide a mistake.',
  },
] as const satisfies readonly Interpretation[])

export type InterpretationId = (typeof interpretations)[number]['id']

type Switched = Extract<(typeof interpretations)[number], { switches: readonly string[] }>

/** A key under `interpretations` of the config file. */
export type SwitchName = Switched['switches'][number]
