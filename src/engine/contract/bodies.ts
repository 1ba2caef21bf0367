import { type TSchema, Type } from '@sinclair/typebox'
import { conventions } from '../../../schemas/conventions.js'
import { cited } from './cites.js'
import { type Contract, type Envelope, type Failure, isSuccess, type Success } from './contract.js'
import { fill, type Template, templateSchema } from './template.js'

/** Undefined for a status that the contract does not declare. */
export function bodySchema({ responses }: Contract, status: number): TSchema | undefined {
  const response = responses[status]
  if (response === undefined) return undefined
  return isSuccess(response) ? response.schema : envelopeOf(response).schema
}

export function sampleBody({ responses }: Contract, status: number): unknown {
  const response = responses[status]
  if (response === undefined) return undefined
  return isSuccess(response) ? response.example : envelopeOf(response).body(status, response.message)
}

/** `content` is a success's body, or an error's message. */
export function declaredBody({ responses }: Contract, status: number, content: unknown): unknown {
  const response = responses[status]
  if (response === undefined) return content
  return isSuccess(response) ? successBody(response, content) : envelopeOf(response).body(status, content as string)
}

/** The handler's body, in the form that the switches give it. */
export function successBody({ template, words }: Pick<Success, 'template' | 'words'>, content: unknown): unknown {
  if (template !== undefined) return fill(template, content as Record<string, unknown>)
  return words === undefined ? content : { ...(content as object), ...words }
}

/** @public read by name, for the OpenAPI document. The one error body the document shows (section "Errors"), serving every operation (I-02). */
export const ErrorBody = Type.Object(
  {
    error: cited(
      [conventions.errorBody],
      Type.Object({
        code: cited([conventions.errorBody], Type.Integer({ description: 'The status.', examples: [400] })),
        message: cited(
          [conventions.errorBody, 'SE.8'],
          Type.String({ description: 'Names the parameter if one is missing.' }),
        ),
      }),
    ),
  },
  {
    $id: 'Error',
    description:
      'An error. The API document shows this body for the credit histories; using it for the other operations is an interpretation (I-02).',
  },
)

/** @public read by name, for the OpenAPI document. The other common shape: the success bodies' `status` and `message`. */
export const FlatErrorBody = Type.Object(
  {
    status: cited([conventions.openErrorBody], Type.String({ examples: ['error'] })),
    message: cited([conventions.openErrorBody], Type.String()),
  },
  { $id: 'FlatError', description: 'An error, in the shape of the success bodies (I-02).' },
)

const nested: Envelope = { schema: ErrorBody, body: (code, message) => ({ error: { code, message } }) }

export const flatEnvelope: Envelope = {
  schema: FlatErrorBody,
  body: (_, message) => ({ status: 'error', message }),
}

function envelopeOf({ envelope = nested }: Failure): Envelope {
  return envelope
}

export const ERROR_PLACES: Readonly<Record<string, TSchema>> = {
  status: Type.Integer({ description: 'The status.', examples: [400], 'x-cites': [conventions.openErrorBody] }),
  message: Type.String({
    description: 'Names the parameter if one is missing.',
    'x-cites': [conventions.openErrorBody],
  }),
}

export function templateEnvelope(template: Template): Envelope {
  return {
    schema: templateSchema(template, ERROR_PLACES, [conventions.openErrorBody]),
    body: (status, message) => fill(template, { status, message }),
  }
}
