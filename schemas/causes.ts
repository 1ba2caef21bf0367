import type { Cites } from './cites.js'
import type { OperationId } from './contracts.js'
import { deepFreeze } from './freeze.js'

interface Cause {
  readonly why: string
  readonly cites: Cites
}

const cause = (why: string, ...cites: Cites): Cause => ({ why, cites })

const noToken = [cause('no token or an unknown one', 'SA.4')]
const noUserType = cause('no `user_type`', 'SU.1', 'SE.1')

/** The causes of each status by default; the README's table is made from them. */
export const causes = deepFreeze({
  uploadSignature: {
    200: [cause('an image, PNG recommended', 'S1.2'), cause('any image that is recognised by its content', 'I-09')],
    401: noToken,
    422: [
      cause('no file', 'SE.5'),
      cause('an empty one, or not an image', 'SE.5', 'S1.2'),
      cause('no `user_type`', 'SE.5', 'SU.1'),
    ],
  },
  updateSubOrganizationMember: {
    200: [cause('only the fields sent change', 'S2.6')],
    400: [cause('a role other than `Admin` or `Member`', 'S2.5', 'SE.1'), noUserType, cause('an empty name', 'I-10')],
    401: noToken,
    403: [cause('a token without the permission', 'SE.2'), cause("another organization's sub-organization", 'I-21')],
    404: [cause('an unknown sub-organization or member', 'SE.3')],
  },
  verifyDocument: {
    200: [cause("the user's document, by its code or as a PDF", 'S3.7')],
    400: [
      cause('neither file nor code', 'S3.4', 'SE.1'),
      cause('no `user_uuid`', 'S3.5', 'SE.1'),
      noUserType,
      cause('a file that is not a PDF', 'I-08'),
    ],
    401: noToken,
    404: [cause('an unknown document', 'SE.3'), cause("another user's", 'I-08')],
    422: [
      cause('it cannot be verified', 'SE.5'),
      cause('a damaged, encrypted or tampered PDF', 'I-08'),
      cause('file and code disagree', 'I-08'),
      cause('its status is not `verified`', 'I-08'),
    ],
  },
  searchProtectedAttachments: {
    200: [
      cause("the user's protected documents that match", 'S4.5'),
      cause('all keywords, in any letter case', 'I-05'),
    ],
    400: [
      cause('no first keyword', 'S4.2', 'SE.1'),
      cause('a fourth one', 'S4.4', 'SE.1'),
      cause('no `user_type`', 'SU.2', 'SE.1'),
      cause('an empty keyword', 'I-05'),
    ],
    401: [cause('no token or an unknown one, in `Authorization` or `user-token`', 'SA.4', 'SA.3')],
    404: [cause('no match', 'SE.3')],
  },
  listCreditHistories: {
    200: [
      cause('a page of records', 'S5.6'),
      cause('an empty page past the end, and for an unknown organization', 'I-06'),
    ],
    400: [
      cause('a required parameter is missing', 'SE.1'),
      cause('not a whole number; an unknown sort or order', 'I-06'),
    ],
    401: noToken,
  },
  addOrganizationMember: {
    200: [cause('an invitation goes out', 'S6.6'), cause('again, while one is pending', 'I-07')],
    400: [cause('a field is missing or invalid', 'SE.1'), noUserType, cause('an unknown organization', 'I-07')],
    401: noToken,
    409: [cause('already a member', 'SE.4')],
  },
  createSigningLink: {
    200: [
      cause('a link for one project and one recipient', 'S7.5'),
      cause('the same project and recipient get the same link', 'I-11'),
    ],
    400: [cause('a malformed uuid, a missing or malformed e-mail', 'I-11')],
    401: noToken,
    404: [cause('an unknown project', 'I-11')],
  },
} satisfies { readonly [Id in OperationId]: { readonly [status: number]: readonly Cause[] } })
