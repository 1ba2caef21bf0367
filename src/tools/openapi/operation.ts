import { basename } from 'node:path'
import type { TObject, TSchema } from '@sinclair/typebox'
import { type Contract, statusesOf } from '../../engine/contract/contract.js'
import { isFile } from '../../engine/contract/fields.js'
import { type SampleFiles, sampleCall } from '../../engine/judge/sample-call.js'
import { sampled, withCites } from './describe.js'
import { parametersOf } from './parameters.js'
import { responseOf } from './response.js'
import { type DocumentParts, schemaOf } from './schema.js'
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

/** The first word of the path behind its prefixes. */
export function tagOf({ path }: Contract): string {
  const [word = 'api'] = path.split('/').filter((segment) => segment !== '' && !/^(api|client|v\d+)$/.test(segment))
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** No `anyOf`: openapi-typescript and Postman would lose the fields. */
function requestBody(contract: Contract, form: TObject, parts: DocumentParts): Json {
  const encoding = encodingOf(form)
  return {
    required: (form.required?.length ?? 0) > 0,
    content: {
      'multipart/form-data': {
        schema: schemaOf(form, parts),
        ...sampled(sampleForm(contract, parts.sampleFiles)),
        ...(Object.keys(encoding).length > 0 && { encoding }),
      },
    },
  }
}

/** For files, and for texts that look like numbers. */
function encodingOf({ properties }: TObject): Json {
  return Object.fromEntries(
    Object.entries<TSchema>(properties).flatMap(([name, schema]) => {
      if (isFile(schema)) return [[name, { contentType: schema.contentMediaType as string }]]
      return schema['x-types'] === undefined && schema.type === 'string' ? [] : [[name, { contentType: 'text/plain' }]]
    }),
  )
}

/** JSON cannot show a file. */
function sampleForm(contract: Contract, files: SampleFiles): Json {
  const fields = Object.entries(sampleCall(contract, files).form ?? {})
  const texts = fields.map(([name, value]) => [name, typeof value === 'string' ? value : basename(value.path)])
  return Object.fromEntries(texts)
}
