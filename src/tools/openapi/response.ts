import { joinedCites } from '../../engine/contract/cites.js'
import { type Contract, isSuccess, outcomeId, type Provenance } from '../../engine/contract/contract.js'
import { bodySchema, errorsAreOpen, sampleBody } from '../../engine/contract/envelopes.js'
import { SAMPLE, withCites } from './describe.js'
import { headersOf } from './mock.js'
import { type DocumentParts, schemaOf } from './schema.js'
import type { Json } from './versions.js'

export const provenanceSentences: { readonly [P in Provenance]: string } = {
  shown: 'The API document shows the keys and types of this body, but nothing more.',
  bodyNotShown: 'The API document lists this response but does not show its body.',
  assumed: 'The API document does not name this status; it is our interpretation.',
}

export function responseOf(contract: Contract, status: number, parts: DocumentParts): Json {
  const response = contract.responses[status]
  const schema = bodySchema(contract, status)
  if (response === undefined || schema === undefined) throw new Error(`${contract.id} does not declare ${status}.`)
  const { description, provenance, cites } = response
  // The document does not show all error bodies.
  const isOpen = !isSuccess(response) && errorsAreOpen(contract)
  const grounds = joinedCites(cites, isOpen ? [contract.conventions.openErrorBody] : [])
  return {
    description: withCites(`${description} ${provenanceSentences[provenance]}`, grounds),
    'x-provenance': provenance,
    'x-cites': grounds,
    headers: headersOf(outcomeId(contract, status)),
    content: {
      'application/json': {
        schema: schemaOf(schema, parts),
        examples: {
          [isSuccess(response) ? SAMPLE : `status_${status}`]: {
            summary: description,
            value: sampleBody(contract, status),
          },
        },
      },
    },
  }
}
