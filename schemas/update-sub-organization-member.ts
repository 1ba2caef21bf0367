import { Type } from '@sinclair/typebox'
import { line, userType } from './common.js'
import { bodyNotShown, defineContract, shown } from './contract.js'
import { Role, SubOrganizationMember } from './resources.js'

export const updateSubOrganizationMember = defineContract({
  id: 'updateSubOrganizationMember',
  section: 2,
  summary: 'Update a sub-organization member',
  description: 'Changes the fields that are sent; others remain as they were.',
  method: 'PUT',
  path: '/api/v2/sub-organizations/{subOrganizationUuid}/members/{subOrgMemberId}',
  tokenHeaders: ['authorization'],
  permission: 'manage_sub_organization_members',
  params: Type.Object({
    subOrganizationUuid: line({
      description: 'Sub-organization identifier.',
      examples: ['6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60'],
    }),
    subOrgMemberId: line({ description: 'Member identifier, a string or an integer.', examples: ['101'] }),
  }),
  query: Type.Object({ user_type: userType() }),
  form: Type.Object({
    first_name: Type.Optional(line({ description: 'New first name.', examples: ['Zoë'] })),
    last_name: Type.Optional(line({ description: 'New last name.', examples: ["O'Connor"] })),
    role: Type.Optional(Role),
  }),
  invalid: 400,
  responses: {
    200: shown.answer(
      'The member as it is now.',
      Type.Object({
        status: Type.String({ examples: ['success'] }),
        message: Type.String(),
        data: SubOrganizationMember,
      }),
      {
        status: 'success',
        message: 'Member updated successfully.',
        data: { id: 101, first_name: 'Zoë', last_name: "O'Connor", role: 'Admin' },
      },
    ),
    400: bodyNotShown.error(
      'Missing or invalid parameters or input.',
      "The form field 'role' must be one of Admin, Member.",
    ),
    401: bodyNotShown.error('Authentication failed or token missing.', 'The user token is missing or invalid.'),
    403: bodyNotShown.error('Insufficient permissions.', 'The caller may not manage sub-organization members.'),
    404: bodyNotShown.error('Sub-organization or member not found.', 'Sub-organization or member not found.'),
    500: bodyNotShown.error('Unexpected server error.', 'Unexpected server error.'),
  },
})
