import { Type } from '@sinclair/typebox'
import { file, line, userType, uuid } from './common.js'
import { bodyNotShown, defineContract, shown } from './contract.js'
import { VerifiedDocument } from './resources.js'

export const verifyDocument = defineContract({
  id: 'verifyDocument',
  section: 3,
  summary: 'Verify a document',
  description:
    'Verifies the authenticity of a document by uploaded PDF file or by document code. At least one of `file` and `code` must be present.',
  method: 'POST',
  path: '/api/v2/verifications/document/verify',
  tokenHeaders: ['authorization'],
  readOnly: true,
  params: Type.Object({}),
  query: Type.Object({ user_type: userType() }),
  form: Type.Object({
    file: Type.Optional(file('application/pdf', { description: 'PDF file to verify.' })),
    code: Type.Optional(
      line({ description: 'Document code, obtainable from the document vault.', examples: ['DOC-2025-0001'] }),
    ),
    user_uuid: uuid({ description: 'UUID of the user.', examples: ['3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'] }),
  }),
  invalid: 400,
  responses: {
    200: shown.answer(
      'The document is authentic.',
      Type.Object({
        status: Type.String({ description: '`verified` on success.', examples: ['verified'] }),
        document: VerifiedDocument,
        message: Type.String(),
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
    400: bodyNotShown.error('Missing or invalid parameters or input.', "Send at least one of 'file' and 'code'."),
    401: bodyNotShown.error('Authentication failed or token missing.', 'The user token is missing or invalid.'),
    404: bodyNotShown.error('Document not found.', 'Document not found.'),
    422: bodyNotShown.error('Document could not be verified.', 'The document could not be verified.'),
  },
})
