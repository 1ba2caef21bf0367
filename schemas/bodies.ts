import type { TSchema } from '@sinclair/typebox'
import { type Contract, isSuccess, type Success } from './contract.js'
import { envelopeOf } from './errors.js'
import { fill } from './template.js'

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
export function declaredBody({ responses }: Contract, status: number, said: unknown): unknown {
  const response = responses[status]
  if (response === undefined) return said
  return isSuccess(response) ? successBody(response, said) : envelopeOf(response).body(status, said as string)
}

/** The handler's body, in the form that the switches give it. */
export function successBody({ template, words }: Pick<Success, 'template' | 'words'>, said: unknown): unknown {
  if (template !== undefined) return fill(template, said as Record<string, unknown>)
  return words === undefined ? said : { ...(said as object), ...words }
}
