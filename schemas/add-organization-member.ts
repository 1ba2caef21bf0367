import { Type } from '@sinclair/typebox'
import { email, line, userType } from './common.js'
import { bodyNotShown, defineContract, shown } from './contract.js'

export const addOrganizationMember = defineContract({
  id: 'addOrganizationMember',
  section: 6,
  summary: 'Add member in organization',
  description: 'Sends an e-mail invitation to the user, who can accept or decline it.',
  method: 'POST',
  path: '/api/v2/organization/members/add',
  tokenHeaders: ['authorization'],
  params: Type.Object({}),
  query: Type.Object({ user_type: userType() }),
  form: Type.Object({
    'data[0][email]': email({ description: 'E-mail of the member to add.', examples: ['ada@example.test'] }),
    'data[0][first_name]': line({ examples: ['Ada'] }),
    'data[0][last_name]': line({ examples: ['Lovelace'] }),
    'data[0][role]': Type.String({
      pattern: '^([Aa][Dd][Mm][Ii][Nn]|[Mm][Ee][Mm][Bb][Ee][Rr])$',
      'x-allowed': 'Admin or Member, in any letter case',
      description: 'Role of the member: `Admin` or `Member`, in any letter case (I-07).',
      examples: ['Member'],
    }),
    'data[0][organization_id]': line({
      description: 'Identifier of the organization, a string or an integer.',
      examples: ['1'],
    }),
  }),
  invalid: 400,
  responses: {
    200: shown.answer(
      'The invitation is sent.',
      Type.Object({ status: Type.String({ examples: ['success'] }), message: Type.String() }),
      { status: 'success', message: 'Invitation sent to ada@example.test.' },
    ),
    400: bodyNotShown.error('Missing or invalid parameters or input.', "The form field 'data[0][email]' is missing."),
    401: bodyNotShown.error('Authentication failed or token missing.', 'The user token is missing or invalid.'),
    409: bodyNotShown.error('User already exists in the organization.', 'The user already exists in the organization.'),
    500: bodyNotShown.error('Unexpected server error.', 'Unexpected server error.'),
  },
})
