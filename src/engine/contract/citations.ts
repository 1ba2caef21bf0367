import type { TSchema } from '@sinclair/typebox'
import { allCitesOf, type Cite } from './cites.js'
import { type Contract, isSuccess } from './contract.js'
import { isFile } from './fields.js'

/** The cites of the operation, and of each token header, parameter, answer and field of a success. */
export function citationsIn({ cites, tokenHeaders, params, query, form, responses }: Contract): (readonly Cite[])[] {
  const parts = [params, query, form].filter((part) => part !== undefined)
  return [
    cites,
    ...tokenHeaders.map((header) => header.cites),
    ...parts.flatMap(citationsInSchema),
    ...Object.values(responses).flatMap((response) => [
      response.cites,
      ...(isSuccess(response) ? citationsInSchema(response.schema) : []),
    ]),
  ]
}

/** A body or query itself may have no cites: its empty list is omitted. A test rejects fields without cites. */
function citationsInSchema(schema: TSchema): Cite[][] {
  return [allCitesOf(schema), ...citationsInFields(schema)].filter(({ length }, at) => at > 0 || length > 0)
}

function citationsInFields({ properties = {}, items }: TSchema): Cite[][] {
  const fields: TSchema[] = [...Object.values<TSchema>(properties), ...(items === undefined ? [] : [items])]
  return fields.flatMap((field) => [allCitesOf(field), ...(isFile(field) ? [] : citationsInFields(field))])
}
