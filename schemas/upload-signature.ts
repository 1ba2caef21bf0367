import { Type } from '@sinclair/typebox'
import { file, line, userType, uuid } from './common.js'
import { bodyNotShown, defineContract, shown } from './contract.js'

export const uploadSignature = defineContract({
  id: 'uploadSignature',
  section: 1,
  summary: 'Upload signature',
  description: "Uploads a signature image to the caller's account for use in signing workflows.",
  method: 'POST',
  path: '/client/signature',
  tokenHeaders: ['authorization'],
  params: Type.Object({}),
  query: Type.Object({ user_type: userType() }),
  form: Type.Object({
    file: file('image/png', { description: 'Signature image; PNG recommended.' }),
    source: Type.Optional(
      Type.String({ description: 'Origin of the signature (a drawing, for instance).', examples: ['drawing'] }),
    ),
    uuid: Type.Optional(Type.String({ examples: ['0b6a3d0e-6a51-4f0e-9f2c-3f1d8f7a2c11'] })),
    type: Type.Optional(line({ description: 'Kind label of the upload.', examples: ['signature'] })),
  }),
  invalid: 422,
  responses: {
    200: shown.answer(
      'The signature is stored.',
      Type.Object({
        status: Type.String({ examples: ['success'] }),
        message: Type.String(),
        signature_id: uuid({ description: 'Identifier of the stored signature (a UUID: I-09).' }),
      }),
      {
        status: 'success',
        message: 'Signature uploaded successfully.',
        signature_id: '5f0c7c1e-8a4b-4c57-9d0e-2b6f4a1c9e37',
      },
    ),
    401: bodyNotShown.error('Authentication failed or token missing.', 'The user token is missing or invalid.'),
    422: bodyNotShown.error('Required fields missing or invalid.', "The form field 'file' is missing."),
  },
})
