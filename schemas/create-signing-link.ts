import { Type } from '@sinclair/typebox'
import { cited } from '../src/engine/contract/cites.js'
import { assumed, bodyNotShown, type Failure, reason } from '../src/engine/contract/contract.js'
import { email, SAMPLE_ORIGIN, utcTime, uuid } from '../src/engine/contract/fields.js'
import { badToken, defineContract, jsonBody, unauthorized } from './conventions.js'
import type { InterpretationId } from './interpretations.js'

/** The document says "4xx or 5xx". */
const error = (interpretation: InterpretationId, description: string, message: string): Failure => ({
  ...assumed.error(['S7.6', interpretation], description, message),
  anyStatusCites: ['S7.6'],
})

/** `S…`: sentences of the document, in statements.ts; `I-…`: where it is silent, in interpretations.ts. */
export const createSigningLink = defineContract({
  id: 'createSigningLink',
  section: 7,
  summary: 'Generate signing link for a project',
  description: 'Generates a signing link for a project, intended to be sent to a recipient by e-mail.',
  cites: ['S7.1', 'S0.1', 'S0.4', 'S7.5', 'SU.4'],
  method: 'POST',
  path: '/api/v2/projects/{uuid}/link',
  tokenHeaders: ['authorization'],
  params: Type.Object({
    uuid: cited(['S7.2'], uuid({ description: 'Project UUID.', examples: ['a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'] }), {
      format: ['S7.2', 'S7.6'],
    }),
  }),
  query: Type.Object(
    {
      email: cited(
        ['S7.3', 'S7.6'],
        email({ description: 'E-mail address of the recipient.', examples: ['grace@example.test'] }),
        { format: ['S7.3'] },
      ),
    },
    { 'x-excluded-names': { user_type: ['SU.4'] } },
  ),
  invalidStatus: 400,
  effectCites: ['S7.5'],
  responses: {
    200: {
      ...bodyNotShown.answer(
        ['S7.4'],
        'The signing link and related metadata (fields: I-11).',
        jsonBody(['S7.4'], {
          link: cited(['I-11'], Type.String({ format: 'uri', description: 'The unique signable link.' }), {
            format: ['I-11'],
          }),
          project_uuid: cited(['I-11'], uuid(), { format: ['I-11'] }),
          email: cited(['I-11'], Type.String()),
          created_at: cited(['I-11', 'I-22'], utcTime(), { format: ['I-11'], pattern: ['I-11'] }),
        }),
        {
          link: `${SAMPLE_ORIGIN}/sign/8b1f0d7a-5c2e-4f39-a6d4-0e9c8b7a6f51`,
          project_uuid: 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11',
          email: 'grace@example.test',
          created_at: '2026-01-15T09:30:00.000Z',
        },
      ),
      linkCites: ['S7.4'],
      bodySwitch: 'signingLinkBody',
    },
    400: error('I-11', 'Invalid UUID, or missing or invalid e-mail.', "The query parameter 'email' is missing."),
    401: unauthorized,
    404: error('I-11', 'The project is unknown.', 'Project not found.'),
    500: error('I-14', 'Unexpected server error.', 'Unexpected server error.'),
  },
  reasons: {
    200: [
      reason('a link for one project and one recipient', 'S7.5'),
      reason('the same project and recipient get the same link', 'I-11'),
    ],
    400: [reason('a malformed uuid, a missing or malformed e-mail', 'I-11')],
    401: [badToken],
    404: [reason('an unknown project', 'I-11')],
  },
})
