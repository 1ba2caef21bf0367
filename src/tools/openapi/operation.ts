import { basename } from 'node:path'
import type { TObject, TSchema } from '@sinclair/typebox'
import { joinCites } from '../../engine/contract/cites.js'
import { type Contract, isSuccess, outcomeId, type Provenance, statusesOf } from '../../engine/contract/contract.js'
import { bodySchema, sampleBody, showsNoErrorBody } from '../../engine/contract/envelopes.js'
import { isAbsentWhenEmpty, isFile } from '../../engine/contract/fields.js'
import { type SampleFiles, sampleCall } from '../../engine/judge/sample-call.js'
import { headersOf } from './mock-headers.js'
import { type DocumentParts, describe, examplesWith, SAMPLE, schemaOf, withCites } from './schema.js'
import type { Json } from './versions.js'

export function operationOf(contract: Contract, parts: DocumentParts): Json {
  const { id, section, summary, description, cites, tokenHeaders, permission, form } = contract
  return {
    operationId: id,
    tags: [tagOf(contract)],
    summary,
    description: withCites(
      permission === undefined ? description : `${description} Needs the permission \`${permission}\`.`,
      cites,
    ),
    'x-section': section,
    'x-cites': cites,
    security: tokenHeaders.map(({ security }) => ({ [security.name]: [] })),
    parameters: parametersOf(contract, parts),
    ...(form !== undefined && { requestBody: requestBody(contract, form, parts) }),
    responses: Object.fromEntries(statusesOf(contract).map((status) => [status, responseOf(contract, status, parts)])),
  }
}

/** The first word of the path after prefixes such as /api/v2. */
export function tagOf({ path }: Contract): string {
  const [word = 'api'] = path.split('/').filter((segment) => segment !== '' && !/^(api|client|v\d+)$/.test(segment))
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Omits the form's `anyOf`: with it, openapi-typescript and Postman drop the fields. */
function requestBody(contract: Contract, { anyOf: _, ...form }: TObject, parts: DocumentParts): Json {
  const encoding = encodingOf(form)
  return {
    required: (form.required?.length ?? 0) > 0,
    content: {
      'multipart/form-data': {
        schema: schemaOf(form, parts),
        ...examplesWith(sampleForm(contract, parts.sampleFiles)),
        ...(Object.keys(encoding).length > 0 && { encoding }),
      },
    },
  }
}

/** Only files, and fields that OpenAPI would not send as plain text, need an encoding. */
function encodingOf({ properties }: TObject): Json {
  return Object.fromEntries(
    Object.entries<TSchema>(properties).flatMap(([name, schema]) => {
      if (isFile(schema)) return [[name, { contentType: schema.contentMediaType as string }]]
      return schema['x-types'] === undefined && schema.type === 'string' ? [] : [[name, { contentType: 'text/plain' }]]
    }),
  )
}

/** Shows the name in place of a file. */
function sampleForm(contract: Contract, files: SampleFiles): Json {
  const fields = Object.entries(sampleCall(contract, files).form ?? {})
  const texts = fields.map(([name, value]) => [name, typeof value === 'string' ? value : basename(value.path)])
  return Object.fromEntries(texts)
}

function parametersOf({ params, query }: Contract, parts: DocumentParts): Json[] {
  const parameters = Object.entries({ path: params, query }).flatMap(([place, { properties, required = [] }]) =>
    Object.entries<TSchema>(properties).map(([name, schema]) =>
      parameter(place, name, schema, required.includes(name), parts),
    ),
  )
  return [...parameters, { $ref: '#/components/parameters/Prefer' }]
}

/** Tools read description and example at the parameter, not in its schema. */
function parameter(place: string, name: string, schema: TSchema, required: boolean, parts: DocumentParts): Json {
  const { description: _, examples, 'x-cites': __, 'x-limit-cites': ___, ...rest } = schema
  return {
    name,
    in: place,
    required,
    ...(isAbsentWhenEmpty(schema) && { allowEmptyValue: true }),
    ...describe(schema),
    schema: schemaOf(rest as TSchema, parts),
    ...(examples !== undefined && examplesWith(examples[0])),
  }
}

export const provenanceSentences: { readonly [P in Provenance]: string } = {
  shown: 'The API document shows the names and types of these fields, but no values.',
  bodyNotShown: 'The API document lists this response but does not show its body.',
  assumed: 'The API document does not name this status; it is our interpretation.',
}

function responseOf(contract: Contract, status: number, parts: DocumentParts): Json {
  const response = contract.responses[status]
  const schema = bodySchema(contract, status)
  if (response === undefined || schema === undefined) throw new Error(`${contract.id} does not declare ${status}.`)
  const { description, provenance, cites } = response
  // The API document does not show all error bodies.
  const isOpen = !isSuccess(response) && showsNoErrorBody(contract)
  const grounds = joinCites(cites, isOpen ? [contract.conventions.assumedErrorBody] : [])
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
