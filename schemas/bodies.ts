import type { TSchema } from '@sinclair/typebox'
import { type Contract, isSuccess, type Success } from './contract.js'
import { envelopeOf } from './errors.js'
import { fill } from './template.js'

/** The schema of the body that a contract declares for a status, or undefined where it declares none. */
export function bodySchema({ responses }: Contract, status: number): TSchema | undefined {
  const response = responses[status]
  if (response === undefined) return undefined
  return isSuccess(response) ? response.schema : envelopeOf(response).schema
}

/** The sample body of a declared answer. */
export function sampleBody({ responses }: Contract, status: number): unknown {
  const response = responses[status]
  if (response === undefined) return undefined
  return isSuccess(response) ? response.example : envelopeOf(response).body(status, response.message)
}

/** The body of a declared answer: of a success by what its handler says, of an error by its message. */
export function declaredBody({ responses }: Contract, status: number, said: unknown): unknown {
  const response = responses[status]
  if (response === undefined) return said
  return isSuccess(response) ? successBody(response, said) : envelopeOf(response).body(status, said as string)
}

/** A success as the interpretations have it; with the default ones, exactly what the handler says. */
export function successBody({ template, words }: Pick<Success, 'template' | 'words'>, said: unknown): unknown {
  if (template !== undefined) return fill(template, said as Record<string, unknown>)
  return words === undefined ? said : { ...(said as object), ...words }
}
