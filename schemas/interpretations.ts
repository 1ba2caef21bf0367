import { deepFreeze } from './freeze.js'

/** A value of a switch, the first one being the default. */
interface Switch {
  readonly name: string
  readonly values: readonly [string, ...string[]]
}

/** One numbered decision where the document is silent. */
interface Interpretation {
  readonly id: `I-${number}`
  readonly about: string
  readonly decision: string
  readonly reason: string
  /** Where users may differ: the key under `interpretations` of the config file. */
  readonly switch?: Switch
}

/** The decisions, in order. The README's table and the config file's switches derive from this list. */
export const interpretations = deepFreeze([
  {
    id: 'I-01',
    about: 'Success status',
    decision: 'Operations 1–6 succeed with 200.',
    reason: 'Only operation 7 names its status; a JSON success body and no other status are shown.',
  },
  {
    id: 'I-02',
    about: 'Error body',
    decision:
      'The one error body shown (credit histories: `{error: {code, message}}`) serves all operations. `flat` gives `{status: "error", message}` where the document shows no body.',
    reason: 'One shape is shown; inventing a second one would be less honest.',
    switch: { name: 'errorBody', values: ['nested', 'flat'] },
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
      "Absent, or not `ENTERPRISE_API`: the operation's invalid status (422 for the signature upload, else 400). In the credit histories it filters; the signing link ignores it.",
    reason: 'The document requires the value and lists no status of its own for it.',
  },
  {
    id: 'I-05',
    about: 'Keywords',
    decision:
      "Case-insensitive substrings of name, file_name, reference_number, category or type; all given ones must match; only the caller's projects; no match is 404. An unknown `keyword[…]` key, more than three, or an empty one is 400.",
    reason: '"The protected documents of the user that match the keywords"; how they match is not shown.',
  },
  {
    id: 'I-06',
    about: 'Credit histories',
    decision:
      'Sorted by any field of the record or `received_by`, by default `created_at` descending, ties by id; an unknown sort or order is 400. `page` and `per_page` are whole numbers from 1 to 9007199254740991. Past the end: an empty list and the true total. An unknown organization: an empty list. Kinds: `purchase`, `allocation`, `return`, `free_credit`.',
    reason: 'Allowed values are not shown beyond one example; 404 is not documented here.',
  },
  {
    id: 'I-07',
    about: 'Invitations',
    decision:
      'Role `Admin` or `Member` in any letter case; an unknown organization is 400; a member is 409; a pending one is invited again with 200 and a second mail (`conflict`: 409); an accepted one is a member; a declined one may be invited again; accepting or declining twice is refused.',
    reason: 'Only "user already in the organization" is documented as a conflict.',
    switch: { name: 'pendingInvitation', values: ['resend', 'conflict'] },
  },
  {
    id: 'I-08',
    about: 'Verification',
    decision:
      "400: neither file nor code, no user_uuid, a file that is not a PDF. 404: a code or fingerprint that is unknown, or another user's. 422: a damaged or encrypted PDF, a tampered one (its Info dictionary's `DocumentCode` is known, its bytes are not), file and code that disagree, a document whose status is not `verified`. `verified_at` is the world's clock.",
    reason: 'The three statuses are listed without their causes.',
  },
  {
    id: 'I-09',
    about: 'Signature image',
    decision:
      'Any PNG, JPEG, GIF, WebP or SVG, recognised by its content; anything else, or an empty file, is 422. `signature_id` is a UUID.',
    reason: '"PNG recommended" allows other images.',
  },
  {
    id: 'I-10',
    about: 'Partial update',
    decision:
      'Absent fields stay; an empty name, or a role other than `Admin` or `Member` (exact), is 400; no field at all is 200 and changes nothing; a member id that is not an integer is 404.',
    reason: '"Only fields sent are changed": an empty string would erase a name by accident.',
  },
  {
    id: 'I-11',
    about: 'Signing link',
    decision:
      'A malformed uuid, a missing or malformed e-mail: 400; an unknown project: 404; the same project and e-mail: the same link. Fields: `link`, `project_uuid`, `email`, `created_at`.',
    reason: '"4xx or 5xx", and the response fields are not shown.',
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
    decision: 'Invalid in names, codes and addresses, as is a text of white space alone.',
    reason: 'No such name exists, and they would reach mail headers.',
  },
  {
    id: 'I-20',
    about: 'Empty fields',
    decision:
      'A file part without a name and without bytes is as if it were not sent; an empty required text is invalid.',
    reason: 'So HTML forms send a file input that nobody used.',
  },
  {
    id: 'I-21',
    about: 'Reach of a permission',
    decision:
      "A user who may manage sub-organization members may do so in every organization, and invite into every one. Only searches are limited to the caller's own data.",
    reason: 'The document speaks of the permission, and not of whose members it covers.',
  },
  {
    id: 'I-22',
    about: 'Words and times of success bodies',
    decision: 'The values of `status` and `message` are ours, and timestamps have milliseconds.',
    reason: 'Only keys and types are shown, and `verified` for a verification.',
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
      'Bodies and their parts are taken as they are sent. Invalid: a `Content-Encoding`; in a part, a `Content-Transfer-Encoding` other than `7bit`, `8bit` and `binary`, no `Content-Disposition: form-data`, or text that is not UTF-8 (or of the `charset` of its part). White space after a boundary is skipped.',
    reason:
      'No encoding is mentioned, RFC 7578 deprecates those of parts, and to take what is encoded for the data itself would hide a mistake.',
  },
] as const satisfies readonly Interpretation[])

export type InterpretationId = (typeof interpretations)[number]['id']

type Switched = Extract<(typeof interpretations)[number], { switch: Switch }>['switch']

/** The chosen value of every switch. */
export type Readings = { readonly [S in Switched as S['name']]: S['values'][number] }

export const switches: readonly Switch[] = interpretations.flatMap((one) => ('switch' in one ? [one.switch] : []))

export const defaultReadings = Object.fromEntries(
  switches.map(({ name, values }) => [name, values[0]]),
) as unknown as Readings
