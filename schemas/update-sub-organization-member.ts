import { Type } from '@sinclair/typebox'
import { cited } from '../src/engine/contract/cites.js'
import { bodyNotShown, reason, shown } from '../src/engine/contract/contract.js'
import { oneOf } from '../src/engine/contract/fields.js'
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
import { ROLES, SubOrganizationMember } from './resources.js'

/** `S…`: sentences of the document, in statements.ts; `I-…`: where it is silent, in interpretations.ts. */
export const updateSubOrganizationMember = defineContract({
  id: 'updateSubOrganizationMember',
  section: 2,
  summary: 'Update a sub-organization member',
  description: 'Changes the fields that are sent; the others stay as they are.',
  cites: ['S2.1', 'S0.1', 'S0.2', 'S0.4', 'S2.6', 'S2.7', 'SA.5'],
  method: 'PUT',
  path: '/api/v2/sub-organizations/{subOrganizationUuid}/members/{subOrgMemberId}',
  tokenHeaders: ['authorization'],
  permission: 'manage_sub_organization_members',
  params: Type.Object({
    subOrganizationUuid: cited(
      ['S2.2'],
      singleLine({
        description: 'Sub-organization identifier.',
        'x-resembles': 'uuid',
        examples: ['6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60'],
      }),
    ),
    subOrgMemberId: cited(
      ['S2.3'],
      identifier({ description: 'Member identifier, a string or an integer.', examples: ['101'] }),
    ),
  }),
  query: Type.Object({ user_type: userType(['SU.1']) }),
  form: Type.Object({
    first_name: Type.Optional(
      cited(['S2.4'], singleLine({ 'x-free-text': true, description: 'New first name.', examples: ['Zoë'] }), {
        minLength: ['I-10#An empty name'],
      }),
    ),
    last_name: Type.Optional(
      cited(['S2.4'], singleLine({ 'x-free-text': true, description: 'New last name.', examples: ["O'Connor"] }), {
        minLength: ['I-10#An empty name'],
      }),
    ),
    role: Type.Optional(
      cited(['S2.5'], oneOf(ROLES, { description: 'Role of the member.', examples: ['Member'] }), { enum: ['S2.5'] }),
    ),
  }),
  invalidStatus: 400,
  effectCites: ['S2.6'],
  responses: {
    200: shown.answer(
      ['I-01'],
      'The updated member.',
      jsonBody(['S2.8'], {
        status: anyText(['S2.8'], { examples: ['success'] }),
        message: anyText(['S2.8']),
        data: SubOrganizationMember,
      }),
      {
        status: 'success',
        message: 'Member updated successfully.',
        data: { id: 101, first_name: 'Zoë', last_name: "O'Connor", role: 'Member' },
      },
    ),
    400: invalidInput("The form field 'role' must be one of Admin, Member."),
    401: unauthorized,
    403: bodyNotShown.error(
      ['SE.2', 'SA.5', 'I-21'],
      "Insufficient permissions, or a sub-organization that does not belong to the caller's organization (I-21).",
      'The caller may not manage sub-organization members.',
    ),
    404: bodyNotShown.error(['SE.3'], 'Sub-organization or member not found.', 'Sub-organization or member not found.'),
    500: serverError,
  },
  reasons: {
    200: [reason('only the fields sent change', 'S2.6')],
    400: [reason('a role other than `Admin` or `Member`', 'S2.5', 'SE.1'), noUserType, reason('an empty name', 'I-10')],
    401: [badToken],
    403: [reason('no permission for members', 'SE.2'), reason("another organization's sub-organization", 'I-21')],
    404: [reason('an unknown sub-organization or member', 'SE.3')],
  },
})
