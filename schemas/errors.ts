import { type TSchema, Type } from '@sinclair/typebox'
import { cited } from './cites.js'
import type { Envelope, Failure } from './contract.js'
import { fill, type Template, templateSchema } from './template.js'

/** @public read by name, for the OpenAPI document. The one error body the document shows (section "Errors"), serving every operation (I-02). */
export const ErrorBody = Type.Object(
  {
    error: cited(
      ['SE.7'],
      Type.Object({
        code: cited(['SE.7'], Type.Integer({ description: 'The status.', examples: [400] })),
        message: cited(['SE.7', 'SE.8'], Type.String({ description: 'Names the parameter if one is missing.' })),
      }),
    ),
  },
  {
    $id: 'Error',
    description:
      'An error. The document shows this body for the credit histories; using it for the other operations is an interpretation (I-02).',
  },
)

/** @public read by name, for the OpenAPI document. The other common shape: the success bodies' `status` and `message`. */
export const FlatErrorBody = Type.Object(
  {
    status: cited(['I-02'], Type.String({ examples: ['error'] })),
    message: cited(['I-02'], Type.String()),
  },
  { $id: 'FlatError', description: 'An error, in the shape of the success bodies (I-02).' },
)

const nested: Envelope = { schema: ErrorBody, body: (code, message) => ({ error: { code, message } }) }

export const flatEnvelope: Envelope = {
  schema: FlatErrorBody,
  body: (_, message) => ({ status: 'error', message }),
}

export function envelopeOf({ envelope = nested }: Failure): Envelope {
  return envelope
}

export const ERROR_PLACES: Readonly<Record<string, TSchema>> = {
  status: Type.Integer({ description: 'The status.', examples: [400], 'x-cites': ['I-02'] }),
  message: Type.String({ description: 'Names the parameter if one is missing.', 'x-cites': ['I-02'] }),
}

export function templateEnvelope(template: Template): Envelope {
  return {
    schema: templateSchema(template, ERROR_PLACES, ['I-02']),
    body: (status, message) => fill(template, { status, message }),
  }
}
