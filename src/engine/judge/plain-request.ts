import { type Contract, changesRecord } from '../contract/contract.js'
import { isFile } from '../contract/fields.js'
import { findFileProblem } from './file-text.js'
import { METHOD_HEADERS } from './method-override.js'
import { isUpload, parametersOf } from './parameters.js'
import { announcesBody, type KeptRequest } from './received-request.js'
import { undocumentedValueKind } from './repair.js'
import { isPlain } from './text.js'

/** The fast path: true only if a `Reading` would find no slip. */
export function isPlainRequest(contract: Contract, request: KeptRequest): boolean {
  const { url, headers, query, form, text, unreadable, params } = request
  if (headers.prefer !== undefined || unreadable !== null || text !== null) return false
  if (METHOD_HEADERS.some((name) => headers[name] !== undefined)) return false
  if (/[?&]_|\+/.test(url) || (contract.form === undefined && announcesBody(request))) return false
  let isEmpty = form !== null
  for (const name in form) {
    if (!isPlainField(contract, `form.${name}`, form[name])) return false
    isEmpty = false
  }
  for (const name in query) if (!isPlainField(contract, `query.${name}`, query[name])) return false
  for (const name in params) if (!isPlainField(contract, `path.${name}`, params[name])) return false
  return !isEmpty || !changesRecord(contract)
}

function isPlainField(contract: Contract, field: string, value: unknown): boolean {
  const parameter = parametersOf(contract).get(field)
  if (parameter === undefined) return false
  if (isUpload(value)) return isFile(parameter.schema) && findFileProblem(parameter.name, value) === undefined
  if (typeof value !== 'string' || !isPlain(value)) return false
  return parameter.schema['x-resembles'] === undefined || undocumentedValueKind(value, parameter.schema) === undefined
}
