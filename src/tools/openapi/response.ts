import { conventions } from '../../../schemas/conventions.js'
import { errorsAreOpen } from '../../api/switches.js'
import { bodySchema, declaredBody, sampleBody } from '../../engine/contract/bodies.js'
import { joinedCites } from '../../engine/contract/cites.js'
import { type Contract, invalidStatusOf, isSuccess, outcomeId } from '../../engine/contract/contract.js'
import { SAMPLE, withCites } from './describe.js'
import { headersOf } from './mock.js'
import { provenanceSentences } from './provenance.js'
import { schemaOf } from './schema.js'
import type { Json, OpenapiVersion } from './versions.js'

export function responseOf(contract: Contract, status: number, version: OpenapiVersion): Json {
  const response = contract.responses[status]
  const schema = bodySchema(contract, status)
  if (response === undefined || schema === undefined) throw new Error(`${contract.id} does not declare ${status}.`)
  const { description, provenance, cites } = response
  // The document does not show all error bodies.
  const grounds = joinedCites(cites, isSuccess(response) || !errorsAreOpen(contract) ? [] : [conventions.openErrorBody])
  return {
    description: withCites(`${description} ${provenanceSentences[provenance]}`, grounds),
    'x-provenance': provenance,
    'x-cites': grounds,
    headers: headersOf(outcomeId(contract, status)),
    content: {
      'application/json': {
        schema: schemaOf(schema, version),
        examples: {
          [isSuccess(response) ? SAMPLE : `status_${status}`]: {
            summary: description,
            value: sampleBody(contract, status),
          },
          ...(!isSuccess(response) && missing(contract, response.message, status)),
        },
      },
    },
  }
}

/** An example for each required parameter that is missing. */
function missing(contract: Contract, sample: string, status: number): Json {
  const required = [
    ...(contract.query.required ?? []).map((name) => [name, `The query parameter '${name}' is missing.`] as const),
    ...(contract.form?.required ?? []).map((name) => [name, `The form field '${name}' is missing.`] as const),
  ]
  const examples = required
    .filter(([name, sentence]) => invalidStatusOf(contract, name) === status && sentence !== sample)
    .map(([name, sentence]) => [
      exampleName(name),
      { summary: sentence, value: declaredBody(contract, status, sentence) },
    ])
  return Object.fromEntries(examples)
}

/** `missing_data_0_email`: some tools make identifiers of the names. */
function exampleName(parameter: string): string {
  return ['missing', ...parameter.split(/\W+/)].filter((word) => word !== '').join('_')
}
