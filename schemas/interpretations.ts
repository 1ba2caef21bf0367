import type { Interpretation } from '../src/engine/contract/citable-texts.js'
import { deepFreeze } from '../src/engine/contract/freeze.js'

const decisions = {
  'I-01': {
    about: 'Success status',
    decision:
      'Operations 1–6 succeed with 200. `successStatus: 201` makes it 201; `{operation: status}` sets it for single operations.',
    reason: 'The API document names the success status of operation 7 alone.',
    switches: ['successStatus'],
  },
  'I-02': {
    about: 'Error body',
    decision:
      'The one error body shown (credit histories: `{error: {code, message}}`) is used for all operations. Where the API document shows no body, `errorBody: flat` gives `{status: "error", message}`, and an object is a template in which `{status}` and `{message}` are filled in. An object whose keys are operations sets it for each operation.',
    reason: 'Only one shape is shown.',
    switches: ['errorBody'],
  },
  'I-03': {
    about: 'Order of checks',
    decision:
      "401, 403, then 400 or 422, then 404, then 409. The 403 for another organization's sub-organization (I-21) is decided at the 404 step, after it is found.",
    reason: 'The usual order: who you are, what you may do, what you sent, whether it exists, whether it conflicts.',
  },
  'I-04': {
    about: '`user_type`',
    decision:
      "Absent, or not `ENTERPRISE_API`: the operation's invalid status (422 for the signature upload, otherwise 400); `missingUserType` sets 400, 401 or 422 everywhere. In the credit histories it is a filter; the signing link ignores it. The `user_type` of the caller is not checked.",
    reason: 'The API document requires the value but lists no status for its absence.',
    switches: ['missingUserType'],
  },
  'I-05': {
    about: 'Keywords',
    decision:
      "Case-insensitive substrings of name, file_name, reference_number, category or type. All keywords must match. Only the caller's projects are searched, and only attachments whose `status` is `protected`. No match is 404. An unknown `keyword[…]` key, more than three keywords, and an empty keyword are 400.",
    reason: 'How keywords match is not shown.',
  },
  'I-06': {
    about: 'Credit histories',
    decision:
      'Sorted by any field of the record or `received_by`; by default by `created_at`, descending, with ties by id. `sort` and `order` may be sent alone. Records without the field come last. An unknown sort or order is 400. `page` and `per_page` are whole numbers from 1 to 9007199254740991. A page past the end is an empty list with the true total. An unknown organization has an empty list (`unknownOrganization: 400` or `404`: that status). Kinds: `purchase`, `allocation`, `return`, `free_credit`.',
    reason: 'Of the allowed values, only one example is shown; 404 is not documented here.',
    switches: ['unknownOrganization'],
  },
  'I-07': {
    about: 'Invitations',
    decision:
      'The role is `Admin` or `Member`, in any letter case. An unknown organization is 400. Inviting a member is 409. Inviting someone whose invitation is pending succeeds and sends a second mail (`pendingInvitation: conflict`: 409). An invitee who accepts becomes a member; one who declines may be invited again. Accepting or declining twice is refused.',
    reason: 'Only "user already in the organization" is documented as a conflict.',
    switches: ['pendingInvitation'],
  },
  'I-08': {
    about: 'Verification',
    decision:
      "400: neither file nor code, no user_uuid, or a file that is not a PDF. 404: a code or fingerprint that is unknown, or that belongs to a document of a user other than `user_uuid`. 422: an unknown PDF that is damaged (it has neither `startxref` nor `%%EOF`), a file and a code that disagree, or a document whose status is not `verified`, such as `encrypted`, `tampered` or `revoked`. A PDF has `%PDF-` in its first 1,024 bytes; nothing else in it is looked at. `verified_at` is the time of the sandbox's clock.",
    reason: 'The API document lists the three statuses without their causes.',
  },
  'I-09': {
    about: 'Signature image',
    decision:
      'Accepted: any image that the library `file-type` recognises by its content (such as PNG, JPEG, GIF, WebP, TIFF, AVIF, HEIC, JPEG XL or PSD), and SVG. Anything else, or an empty file, is 422. `signature_id` is a UUID.',
    reason: '"PNG recommended" allows other images.',
  },
  'I-10': {
    about: 'Partial update',
    decision:
      'Fields that are not sent stay as they are. An empty name, and a role other than exactly `Admin` or `Member`, is 400. A request without any field succeeds and changes nothing. A member id that is not an integer is 404.',
    reason: '"Only fields sent are changed": an empty string would erase a name by accident.',
  },
  'I-11': {
    about: 'Signing link',
    decision:
      'A malformed uuid, or a missing or malformed e-mail, is 400; an unknown project is 404. The same project and e-mail get the same link. Fields: `link`, `project_uuid`, `email`, `created_at`; `signingLinkBody` is a template for others, in which `{link}` and so on are filled in.',
    reason: 'The API document says "4xx or 5xx", and shows no response fields.',
    switches: ['signingLinkBody'],
  },
  'I-12': {
    about: 'Unknown fields',
    decision: 'Extra fields and query keys are accepted and recorded as violations; `--strict` refuses them.',
    reason: 'The API document does not forbid them, but they are probably a mistake.',
  },
  'I-13': {
    about: 'Bodies that cannot be read',
    decision:
      "Another content type, no boundary, or a truncated body gets the operation's invalid status, with a violation that says how to fix it.",
    reason: 'The client made the mistake, so it is never a 500.',
  },
  'I-14': {
    about: '500',
    decision: 'Never returned unless you ask for it.',
    reason: 'A mock that fails at random does not help.',
  },
  'I-15': {
    about: '`user-token` header',
    decision: 'Only the project search reads it; `Authorization` wins if both are sent.',
    reason: 'The API document "also describes" it for that operation only.',
  },
  'I-16': {
    about: 'Size',
    decision: "Bodies up to 50 MiB are accepted (`--body-limit`); larger ones get the mock's own 413.",
    reason: 'Upload size limits are not shown.',
  },
  'I-17': {
    about: 'Repeated keys',
    decision: 'A form field or query key sent twice is invalid.',
    reason: 'The API document does not show which one would count.',
  },
  'I-18': {
    about: 'Bearer scheme',
    decision: '`Bearer` is accepted in any letter case; any other scheme, or none, is 401.',
    reason: 'Authentication schemes are case-insensitive (RFC 9110, section 11.1).',
  },
  'I-19': {
    about: 'Control characters',
    decision:
      'Invalid in names, codes and addresses, and so is text that is only white space. An e-mail address has one local part and one domain, no quotes, brackets or comments, and at most 254 characters.',
    reason: 'No real name contains them, and they would end up in mail headers.',
  },
  'I-20': {
    about: 'Empty fields',
    decision:
      'A file part without a name and without bytes is treated as not sent, and so is an empty optional text field. An empty required text field is as if it were missing. Keywords and updates differ (I-05, I-10).',
    reason: 'This is how HTML forms send unused file inputs and empty text inputs.',
  },
  'I-21': {
    about: 'Whose data',
    decision:
      "Callers can only access the data of their own organization. For another organization, its sub-organizations are 403; its credit histories, and invitations into it, are handled like those of an unknown organization; and its projects are unknown. A search finds only the caller's own documents.",
    reason:
      'The API document does not say whose data a token reaches; a service that separates organizations does so everywhere.',
  },
  'I-22': {
    about: 'Words and times in success bodies',
    decision:
      'The values of `status` and `message` are ours. Timestamps are in UTC, end in `Z` and include milliseconds.',
    reason: 'The API document shows only keys and types, and the value `verified` for a verification.',
  },
  'I-23': {
    about: 'Totals',
    decision: '`total` is the number of records after the filter by user type.',
    reason: 'Page numbers are useful only within the records that are listed.',
  },
  'I-24': {
    about: 'Body encodings',
    decision:
      'Bodies and their parts are used as sent. Invalid: a `Content-Encoding`; and in a part, a `Content-Transfer-Encoding` other than `7bit`, `8bit` or `binary`. A part without a `Content-Disposition: form-data` counts as not sent. A part declared as `application/json` is decoded: `"Admin"` is the text Admin.',
    reason:
      'The API document mentions no encoding, RFC 7578 deprecates those of parts, and taking encoded bytes as data would hide a mistake.',
  },
} as const satisfies { readonly [id: `I-${number}`]: Omit<Interpretation, 'id'> }

export type InterpretationId = keyof typeof decisions

const ids = Object.keys(decisions) as InterpretationId[]

export const interpretations: readonly Interpretation[] = deepFreeze(ids.map((id) => ({ id, ...decisions[id] })))
