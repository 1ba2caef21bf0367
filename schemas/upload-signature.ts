import { Type } from '@sinclair/typebox'
import { cited } from '../src/engine/contract/cites.js'
import { bodyNotShown, reason, shown } from '../src/engine/contract/contract.js'
import { file, uuid } from '../src/engine/contract/fields.js'
import { anyText, badToken, defineContract, jsonBody, optionalText, unauthorized, userType } from './conventions.js'

/** `S…`: sentences of the document, in statements.ts; `I-…`: where it is silent, in interpretations.ts. */
export const uploadSignature = defineContract({
  id: 'uploadSignature',
  section: 1,
  summary: 'Upload signature',
  description: "Uploads a signature image to the caller's account for use in signing workflows.",
  cites: ['S1.1', 'S0.1', 'S0.2', 'S0.4', 'S1.8'],
  method: 'POST',
  path: '/client/signature',
  tokenHeaders: ['authorization'],
  params: Type.Object({}),
  query: Type.Object({ user_type: userType(['SU.1']) }),
  form: Type.Object({
    file: cited(
      ['S1.2', 'S1.3'],
      file('image/png', { description: 'Signature image; PNG recommended.', examples: ['signature.png'] }),
    ),
    source: optionalText(
      cited(
        ['S1.4'],
        Type.String({ description: 'Origin of the signature (a drawing, for instance).', examples: ['drawing'] }),
      ),
    ),
    uuid: optionalText(cited(['S1.5'], Type.String({ examples: ['0b6a3d0e-6a51-4f0e-9f2c-3f1d8f7a2c11'] }))),
    type: optionalText(
      cited(['S1.6'], Type.String({ description: 'Kind label of the upload.', examples: ['signature'] })),
    ),
  }),
  invalidStatus: 422,
  effectCites: ['S1.8'],
  responses: {
    200: shown.answer(
      ['I-01'],
      'The signature is stored.',
      jsonBody(['S1.7'], {
        status: anyText(['S1.7'], { examples: ['success'] }),
        message: anyText(['S1.7']),
        signature_id: cited(['S1.7'], uuid({ description: 'Identifier of the stored signature (a UUID: I-09).' }), {
          format: ['I-09'],
        }),
      }),
      {
        status: 'success',
        message: 'Signature uploaded successfully.',
        signature_id: '5f0c7c1e-8a4b-4c57-9d0e-2b6f4a1c9e37',
      },
    ),
    401: unauthorized,
    422: bodyNotShown.error(['SE.5'], 'Required fields missing or invalid.', "The form field 'file' is missing."),
  },
  reasons: {
    200: [reason('an image, PNG recommended', 'S1.2'), reason('any image that is recognised by its content', 'I-09')],
    401: [badToken],
    422: [
      reason('no file', 'SE.5'),
      reason('an empty file, or not an image', 'SE.5', 'S1.2'),
      reason('no `user_type`', 'SE.5', 'SU.1'),
    ],
  },
})
