import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Contract, type Failure, isSuccess } from './contract.js'

/** The one error body the document shows (section "Errors"), serving every operation (I-02). */
export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'The status.', examples: [400] }),
      message: Type.String({ description: 'Names the parameter where one is missing.' }),
    }),
  },
  { $id: 'Error', description: 'The error object of the credit histories operation.' },
)
export type ErrorBody = Static<typeof ErrorBody>

/** @public read by name, for the OpenAPI document. The other common shape: the success bodies' `status` and `message`. */
export const FlatErrorBody = Type.Object(
  { status: Type.String({ examples: ['error'] }), message: Type.String() },
  { $id: 'FlatError' },
)

interface Envelope {
  readonly schema: TSchema
  readonly body: (status: number, message: string) => unknown
}

export type ErrorShape = 'nested' | 'flat'

const envelopes: Readonly<Record<ErrorShape, Envelope>> = {
  nested: { schema: ErrorBody, body: (code, message) => ({ error: { code, message } }) },
  flat: { schema: FlatErrorBody, body: (_, message) => ({ status: 'error', message }) },
}

/** The envelope of one error answer: the shape asked for, except where the document shows the body. */
export function envelopeOf(failure: Failure, shape: ErrorShape): Envelope {
  return failure.provenance === 'shown' ? envelopes.nested : envelopes[shape]
}

/** The schema of the body that a contract declares for a status, or undefined where it declares none. */
export function bodySchema(contract: Contract, status: number, shape: ErrorShape): TSchema | undefined {
  const response = contract.responses[status]
  if (response === undefined) return undefined
  return isSuccess(response) ? response.schema : envelopeOf(response, shape).schema
}

/** The sample body of a declared answer. */
export function sampleBody(contract: Contract, status: number, shape: ErrorShape): unknown {
  const response = contract.responses[status]
  if (response === undefined) return undefined
  return isSuccess(response) ? response.example : envelopeOf(response, shape).body(status, response.message)
}
