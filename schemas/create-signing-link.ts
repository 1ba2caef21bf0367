import { Type } from '@sinclair/typebox'
import { dateTime, email, SAMPLE_ORIGIN, uuid } from './common.js'
import { assumed, bodyNotShown, defineContract } from './contract.js'

export const createSigningLink = defineContract({
  id: 'createSigningLink',
  section: 7,
  summary: 'Generate signing link for a project',
  description: 'Generates a signing link for a project, intended to be sent to a recipient by e-mail.',
  method: 'POST',
  path: '/api/v2/projects/{uuid}/link',
  tokenHeaders: ['authorization'],
  params: Type.Object({
    uuid: uuid({ description: 'Project UUID.', examples: ['a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'] }),
  }),
  query: Type.Object({
    email: email({ description: 'E-mail address of the recipient.', examples: ['grace@example.test'] }),
  }),
  invalid: 400,
  responses: {
    200: bodyNotShown.answer(
      'The signing link and related metadata (fields: I-11).',
      Type.Object({
        link: Type.String({ format: 'uri', description: 'The unique signable link.' }),
        project_uuid: uuid(),
        email: Type.String(),
        created_at: dateTime(),
      }),
      {
        link: `${SAMPLE_ORIGIN}/sign/8b1f0d7a-5c2e-4f39-a6d4-0e9c8b7a6f51`,
        project_uuid: 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11',
        email: 'grace@example.test',
        created_at: '2026-01-15T09:30:00.000Z',
      },
    ),
    400: assumed.error('Invalid UUID, or missing or invalid e-mail.', "The query parameter 'email' is missing."),
    401: bodyNotShown.error('Authentication failed or token missing.', 'The user token is missing or invalid.'),
    404: assumed.error('The project is unknown.', 'Project not found.'),
    500: assumed.error('Unexpected server error.', 'Unexpected server error.'),
  },
})
