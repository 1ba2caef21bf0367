import { Type } from '@sinclair/typebox'
import { type Cites, cited } from '../src/engine/contract/cites.js'
import { bodyNotShown, reason, shown } from '../src/engine/contract/contract.js'
import { NOT_BLANK } from '../src/engine/contract/fields.js'
import { anyText, defineContract, invalidInput, jsonBody, serverError, unauthorized, userType } from './conventions.js'
import { Attachment } from './resources.js'

const INVALID_KEYWORDS = 'I-05#An unknown'

const keyword = (cites: Cites, nth: string, example: string) =>
  cited(
    cites,
    Type.String({
      minLength: 1,
      pattern: NOT_BLANK,
      'x-allowed': 'text (not blank)',
      'x-free-text': true,
      description: `${nth} keyword.`,
      examples: [example],
    }),
    { minLength: [INVALID_KEYWORDS], pattern: [INVALID_KEYWORDS] },
  )

/** `S…`: sentences of the document, in statements.ts; `I-…`: where it is silent, in interpretations.ts. */
export const searchProtectedAttachments = defineContract({
  id: 'searchProtectedAttachments',
  section: 4,
  summary: 'Get associated attachments from a project',
  description: 'Returns the protected documents of the user that match up to three keywords.',
  cites: ['S4.1', 'S0.1', 'S0.4', 'S4.4', 'S4.5'],
  method: 'GET',
  path: '/api/v2/projects/protect',
  tokenHeaders: ['authorization', 'user-token'],
  params: Type.Object({}),
  query: Type.Object(
    {
      user_type: userType(['SU.2']),
      'keyword[sample_1]': keyword(['S4.2'], 'First', 'contract'),
      'keyword[sample_2]': Type.Optional(keyword(['S4.3'], 'Second', 'lease')),
      'keyword[sample_3]': Type.Optional(keyword(['S4.3'], 'Third', '2025')),
    },
    // "Accepts at most three keywords": any other keyword[…] is refused.
    {
      'x-cites': ['S4.4'],
      'x-limit-cites': { 'false schema': [INVALID_KEYWORDS] },
      patternProperties: { '^keyword\\[(?!sample_[123]\\]$)': false },
    },
  ),
  invalidStatus: 400,
  responses: {
    200: shown.answer(
      ['I-01'],
      'The matching protected documents.',
      jsonBody(['S4.6'], { message: anyText(['S4.6']), data: cited(['S4.6'], Type.Array(Attachment)) }),
      {
        message: 'Protected attachments retrieved successfully.',
        data: [
          {
            id: 1,
            project_uuid: 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11',
            reference_number: 'REF-2025-0001',
            type: 'contract',
            category: 'legal',
            status: 'protected',
            name: 'Lease contract',
            file_name: 'lease-contract-2025.pdf',
            project_file_id: 501,
            storage: 'vault',
            path: 'projects/a4e2f6d8/lease-contract-2025.pdf',
            dna: '833d38650f4a2f27e0a4e904c5e83b9938cc38f81e92c72f3edc5462fe17c9ae',
            project_file_meta: '{"pages":3,"size":48213}',
            blockchain_id: 7001,
            blockchain_uuid: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
            event: 'document_protected',
            network: 'testnet',
          },
        ],
      },
    ),
    400: invalidInput("The query parameter 'keyword[sample_1]' is missing."),
    401: { ...unauthorized, cites: ['SA.4', 'SA.3'] },
    404: bodyNotShown.error(['SE.3'], 'No matching documents.', 'No protected document matches the keywords.'),
    500: serverError,
  },
  reasons: {
    200: [
      reason("the user's protected documents that match", 'S4.5'),
      reason('all keywords must match, in any letter case', 'I-05'),
    ],
    400: [
      reason('the first keyword is missing', 'S4.2', 'SE.1'),
      reason('a fourth keyword', 'S4.4', 'SE.1'),
      reason('no `user_type`', 'SU.2', 'SE.1'),
      reason('an empty keyword', 'I-05'),
    ],
    401: [reason('no token or an unknown one, in `Authorization` or `user-token`', 'SA.4', 'SA.3')],
    404: [reason('no match', 'SE.3')],
  },
})
