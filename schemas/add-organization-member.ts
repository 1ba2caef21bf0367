import { Type } from '@sinclair/typebox'
import { cited } from '../src/engine/contract/cites.js'
import { bodyNotShown, ifSwitch, reason, shown } from '../src/engine/contract/contract.js'
import { email } from '../src/engine/contract/fields.js'
import {
  anyText,
  badToken,
  defineContract,
  identifier,
  invalidInput,
  jsonBody,
  noUserType,
  serverError,
  singleLine,
  unauthorized,
  userType,
} from './conventions.js'

/** `S…`: sentences of the document, in statements.ts; `I-…`: where it is silent, in interpretations.ts. */
export const addOrganizationMember = defineContract({
  id: 'addOrganizationMember',
  section: 6,
  summary: 'Add member in organization',
  description: 'Sends an e-mail invitation to the user, who can accept or decline it.',
  cites: ['S6.1', 'S0.1', 'S0.2', 'S0.4', 'S6.2', 'S6.6', 'S6.8'],
  method: 'POST',
  path: '/api/v2/organization/members/add',
  tokenHeaders: ['authorization'],
  params: Type.Object({}),
  query: Type.Object({ user_type: userType(['SU.1']) }),
  form: Type.Object(
    {
      'data[0][email]': cited(
        ['S6.3'],
        email({ description: 'E-mail of the member to add.', examples: ['ada@example.test'] }),
        { format: ['S6.3'] },
      ),
      'data[0][first_name]': cited(['S6.3'], singleLine({ 'x-free-text': true, examples: ['Ada'] })),
      'data[0][last_name]': cited(['S6.3'], singleLine({ 'x-free-text': true, examples: ['Lovelace'] })),
      'data[0][role]': cited(
        ['S6.4'],
        Type.String({
          pattern: '^([Aa][Dd][Mm][Ii][Nn]|[Mm][Ee][Mm][Bb][Ee][Rr])$',
          'x-allowed': 'Admin or Member (in any letter case)',
          description: 'Role of the member: `Admin` or `Member`, in any letter case (I-07).',
          examples: ['Member'],
        }),
        { pattern: ['I-07'] },
      ),
      'data[0][organization_id]': cited(
        ['S6.5'],
        identifier({ description: 'Identifier of the organization, a string or an integer.', examples: ['1'] }),
      ),
    },
    { 'x-cites': ['S6.2'] },
  ),
  invalidStatus: 400,
  effectCites: ['S6.6'],
  responses: {
    200: shown.answer(
      ['I-01'],
      'The invitation is sent.',
      jsonBody(['S6.7'], {
        status: anyText(['S6.7'], { examples: ['success'] }),
        message: anyText(['S6.7']),
      }),
      { status: 'success', message: 'Invitation sent to ada@example.test.' },
    ),
    400: invalidInput("The form field 'data[0][email]' is missing."),
    401: unauthorized,
    409: bodyNotShown.error(
      ['SE.4'],
      'User already exists in the organization.',
      'The user already exists in the organization.',
    ),
    500: serverError,
  },
  switchedResponses: {
    409: ifSwitch(
      'pendingInvitation',
      'conflict',
      bodyNotShown.error(
        ['SE.4', 'I-07'],
        'Also sent if the user has already been invited (I-07).',
        'The user has already been invited.',
      ),
    ),
  },
  reasons: {
    200: [reason('an invitation goes out', 'S6.6'), reason('a second invitation while the first is pending', 'I-07')],
    400: [reason('a field is missing or invalid', 'SE.1'), noUserType, reason('an unknown organization', 'I-07')],
    401: [badToken],
    409: [reason('already a member', 'SE.4')],
  },
})
