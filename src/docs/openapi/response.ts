import type { TObject } from '@sinclair/typebox'
import { bodySchema, declaredBody, sampleBody } from '../../../schemas/bodies.js'
import type { Cite } from '../../../schemas/cites.js'
import { type Contract, isSuccess, outcomeId, refusalStatusOf } from '../../../schemas/contract.js'
import { errorsAreOpen } from '../../../schemas/readings.js'
import { provenanceSentences } from '../provenance.js'
import { withCites } from './cites.js'
import { mockHeaderReferences, outcomeHeader } from './mock.js'
import { SAMPLE } from './sample.js'
import { schemaOf } from './schema.js'
import type { Json, OpenapiVersion } from './versions.js'

/** What the error body of an operation rests on where the document does not show it. */
const ERROR_BODY = 'I-02'

/** One declared answer, with its provenance and its samples. */
export function responseOf(contract: Contract, status: number, version: OpenapiVersion): Json {
  const response = contract.responses[status]
  const schema = bodySchema(contract, status)
  if (response === undefined || schema === undefined) throw new Error(`${contract.id} does not declare ${status}.`)
  const { description, provenance, cites } = response
  const grounds: readonly Cite[] =
    isSuccess(response) || !errorsAreOpen(contract) ? cites : [...new Set<Cite>([...cites, ERROR_BODY])]
  return {
    description: withCites(`${description} ${provenanceSentences[provenance]}`, grounds),
    'x-provenance': provenance,
    'x-cites': grounds,
    headers: { ...outcomeHeader(outcomeId(contract, status)), ...mockHeaderReferences },
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

/** The invalid answer of each required parameter that is left out, beside the sample. */
function missing(contract: Contract, sample: string, status: number): Json {
  const examples = [...required('query parameter', contract.query), ...required('form field', contract.form)]
    .filter(({ name }) => refusalStatusOf(contract, name) === status)
    .map(({ name, words }) => ({ name, sentence: `The ${words} '${name}' is missing.` }))
    .filter(({ sentence }) => sentence !== sample)
    .map(({ name, sentence }) => [
      exampleName(name),
      { summary: sentence, value: declaredBody(contract, status, sentence) },
    ])
  return Object.fromEntries(examples)
}

function required(words: string, part: TObject | undefined): { readonly name: string; readonly words: string }[] {
  return (part?.required ?? []).map((name) => ({ name, words }))
}

/** `missing_data_0_email`: some tools make identifiers of the names. */
function exampleName(parameter: string): string {
  return ['missing', ...parameter.split(/\W+/)].filter((word) => word !== '').join('_')
}
