import { Type } from '@sinclair/typebox'
import { cited } from '../src/engine/contract/cites.js'
import { bodyNotShown, reason, shown } from '../src/engine/contract/contract.js'
import { file, oneOf, uuid } from '../src/engine/contract/fields.js'
import {
  anyText,
  badToken,
  defineContract,
  invalidInput,
  jsonBody,
  noUserType,
  optionalText,
  singleLine,
  unauthorized,
  userType,
} from './conventions.js'
import { VerifiedDocument } from './resources.js'

/** `S…`: sentences of the document, in statements.ts; `I-…`: where it is silent, in interpretations.ts. */
export const verifyDocument = defineContract({
  id: 'verifyDocument',
  section: 3,
  summary: 'Verify a document',
  description:
    'Verifies the authenticity of a document by uploaded PDF file or by document code. At least one of `file` and `code` must be present.',
  cites: ['S3.1', 'S0.1', 'S0.2', 'S0.4', 'S3.4'],
  method: 'POST',
  path: '/api/v2/verifications/document/verify',
  tokenHeaders: ['authorization'],
  readOnly: true,
  params: Type.Object({}),
  query: Type.Object({ user_type: userType(['SU.1']) }),
  form: Type.Object(
    {
      file: Type.Optional(
        cited(
          ['S3.2', 'S3.4'],
          file('application/pdf', { description: 'PDF file to verify.', examples: ['verified.pdf'] }),
        ),
      ),
      code: optionalText(
        cited(
          ['S3.3', 'S3.4'],
          singleLine({
            description: 'Document code, obtainable from the document vault.',
            examples: ['DOC-2025-0001'],
          }),
        ),
      ),
      user_uuid: cited(
        ['S3.5'],
        uuid({ description: 'UUID of the user.', examples: ['3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'] }),
        { format: ['S3.5'] },
      ),
    },
    {
      anyOf: [{ required: ['file'] }, { required: ['code'] }],
      description: 'At least one of `file` and `code`.',
      'x-limit-cites': { anyOf: ['S3.4'] },
    },
  ),
  invalidStatus: 400,
  responses: {
    200: shown.answer(
      ['I-01'],
      'The document is authentic.',
      jsonBody(['S3.6'], {
        status: cited(['S3.6'], oneOf(['verified'], { description: '`verified` on success.' }), { enum: ['S3.7'] }),
        document: VerifiedDocument,
        message: anyText(['S3.6']),
      }),
      {
        status: 'verified',
        document: {
          code: 'DOC-2025-0001',
          user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31',
          verified_at: '2026-01-15T09:30:00.000Z',
        },
        message: 'Document verified successfully.',
      },
    ),
    400: invalidInput("Send at least one of 'file' and 'code'."),
    401: unauthorized,
    404: bodyNotShown.error(['SE.3'], 'Document not found.', 'Document not found.'),
    422: bodyNotShown.error(['SE.5'], 'Document could not be verified.', 'The document could not be verified.'),
  },
  reasons: {
    200: [reason("the user's document, by its code or as a PDF", 'S3.7')],
    400: [
      reason('neither file nor code', 'S3.4', 'SE.1'),
      reason('no `user_uuid`', 'S3.5', 'SE.1'),
      noUserType,
      reason('a file that is not a PDF', 'I-08'),
    ],
    401: [badToken],
    404: [reason('an unknown document', 'SE.3'), reason("another user's document", 'I-08')],
    422: [
      reason('the document cannot be verified', 'SE.5'),
      reason('a damaged PDF', 'I-08'),
      reason('file and code disagree', 'I-08'),
      reason('its status is not `verified`', 'I-08'),
    ],
  },
})
