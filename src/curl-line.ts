import { join } from 'node:path'
import type { TObject, TSchema } from '@sinclair/typebox'
import { isFile } from '../schemas/common.js'
import type { Contract } from '../schemas/contract.js'
import { packageRoot } from './package-root.js'

/** A call of an operation with the examples of its contract, to paste into a shell; its parts on lines of their own, or as `separator` says. */
export function curlLine(contract: Contract, base: string, token: string, separator = ' \\\n  '): string {
  const { method, form } = contract
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${base}${pathOf(contract)}${queryOf(contract)}`)}`,
    `-H ${quoted(`Authorization: Bearer ${token}`)}`,
    ...(form === undefined
      ? []
      : sentFields(form).map((name) => `-F ${quoted(field(name, form.properties[name] as TSchema))}`)),
  ].join(separator)
}

/**
 * The form fields that a first call sends: the required ones, and every text field where no file is required, since
 * one of those is then what the call is about.
 */
export function sentFields({ properties, required = [] }: TObject): string[] {
  const fields = Object.entries(properties)
  const needsFile = fields.some(([name, schema]) => required.includes(name) && isFile(schema))
  return fields
    .filter(([name, schema]) => required.includes(name) || !(needsFile || isFile(schema)))
    .map(([name]) => name)
}

function pathOf({ path, params }: Contract): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(sample(params.properties[name])))
}

function queryOf({ query: { properties, required = [] } }: Contract): string {
  const given = required.map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(sample(properties[name]))}`)
  return given.length === 0 ? '' : `?${given.join('&')}`
}

function field(name: string, schema: TSchema): string {
  if (!isFile(schema)) return `${name}=${sample(schema)}`
  const mediaType: string = schema.contentMediaType
  return `${name}=@${sampleFiles[mediaType] ?? 'FILE'};type=${mediaType}`
}

/** The default world's files, where a call with a file needs one. */
const sampleFiles: Readonly<Record<string, string>> = {
  'image/png': join(packageRoot, 'fixtures/files/signature.png'),
  'application/pdf': join(packageRoot, 'fixtures/files/verified.pdf'),
}

export function sample(schema: TSchema | undefined): string {
  return String(schema?.examples?.[0] ?? schema?.enum?.[0] ?? '')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
