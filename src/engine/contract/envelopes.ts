import { type TSchema, Type } from '@sinclair/typebox'
import type { Cite } from './cites.js'
import { type Contract, type Failure, isSuccess, type Success } from './contract.js'
import type { Envelope } from './conventions.js'
import { fillTemplate, type Template, templateSchema } from './template.js'

export function bodySchema(contract: Contract, status: number): TSchema | undefined {
  const response = contract.responses[status]
  if (response === undefined) return undefined
  return isSuccess(response) ? response.schema : envelopeOf(contract, response).schema
}

export function sampleBody(contract: Contract, status: number): unknown {
  const response = contract.responses[status]
  if (response === undefined) return undefined
  return isSuccess(response) ? response.example : envelopeOf(contract, response).body(status, response.message)
}

/** `content` is the body of a success, or the message of an error. */
export function declaredBody(contract: Contract, status: number, content: unknown): unknown {
  const response = contract.responses[status]
  if (response === undefined) return content
  if (isSuccess(response)) return successBody(response, content)
  return envelopeOf(contract, response).body(status, String(content))
}

export function successBody({ template }: Pick<Success, 'template'>, content: unknown): unknown {
  return template === undefined ? content : fillTemplate(template, content as Record<string, unknown>)
}

function envelopeOf({ conventions }: Contract, { envelope }: Failure): Envelope {
  return envelope ?? conventions.envelope
}

export function errorPlaceholders(cite: Cite): Readonly<Record<string, TSchema>> {
  return {
    status: Type.Integer({ description: 'The HTTP status.', examples: [400], 'x-cites': [cite] }),
    message: Type.String({
      description: 'The error message. If a parameter is missing, it names the parameter.',
      'x-cites': [cite],
    }),
  }
}

export function templateEnvelope(template: Template, cite: Cite): Envelope {
  return {
    schema: templateSchema(template, errorPlaceholders(cite), [cite]),
    body: (status, message) => fillTemplate(template, { status, message }),
  }
}

export function showsNoErrorBody({ responses }: Contract): boolean {
  return Object.values(responses).every((response) => isSuccess(response) || response.provenance !== 'shown')
}
