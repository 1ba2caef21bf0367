import { basename } from 'node:path'
import type { TObject, TSchema } from '@sinclair/typebox'
import { isFile } from '../../../schemas/common.js'
import { type Contract, statusesOf } from '../../../schemas/contract.js'
import { sampleCall } from '../sample-call.js'
import { sampled, withCites } from './describe.js'
import { parametersOf } from './parameters.js'
import { responseOf } from './response.js'
import { schemaOf } from './schema.js'
import { securityOf } from './security.js'
import type { Json, OpenapiVersion } from './versions.js'

/** What OpenAPI says of one contract. */
export function operationOf(contract: Contract, version: OpenapiVersion): Json {
  const { id, section, summary, description, cites, permission, form } = contract
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
    security: securityOf(contract),
    parameters: parametersOf(contract, version),
    ...(form !== undefined && { requestBody: requestBody(contract, form, version) }),
    responses: Object.fromEntries(
      statusesOf(contract).map((status) => [status, responseOf(contract, status, version)]),
    ),
  }
}

/** The kind of thing an operation is about: the first word of its path that is no prefix. */
export function tagOf({ path }: Contract): string {
  const [word = 'api'] = path.split('/').filter((segment) => segment !== '' && !/^(api|client|v\d+)$/.test(segment))
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/**
 * Without an `anyOf` for fields of which one is sent: openapi-typescript makes `unknown` of the form then, and Postman
 * loses its fields. The description says it.
 */
function requestBody(contract: Contract, form: TObject, version: OpenapiVersion): Json {
  const encoding = encodingOf(form)
  return {
    required: (form.required?.length ?? 0) > 0,
    content: {
      'multipart/form-data': {
        schema: schemaOf(form, version),
        ...sampled(sampleForm(contract)),
        ...(Object.keys(encoding).length > 0 && { encoding }),
      },
    },
  }
}

/** The type of each part that is no plain text to every reader: files, and texts that may be numbers. */
function encodingOf({ properties }: TObject): Json {
  return Object.fromEntries(
    Object.entries<TSchema>(properties).flatMap(([name, schema]) => {
      if (isFile(schema)) return [[name, { contentType: schema.contentMediaType as string }]]
      return schema['x-types'] === undefined && schema.type === 'string' ? [] : [[name, { contentType: 'text/plain' }]]
    }),
  )
}

/** The form of a sample call, a file by its name, since no JSON can show one. */
function sampleForm(contract: Contract): Json {
  const fields = Object.entries(sampleCall(contract).form ?? {})
  const texts = fields.map(([name, value]) => [name, typeof value === 'string' ? value : basename(value.path)])
  return Object.fromEntries(texts)
}
