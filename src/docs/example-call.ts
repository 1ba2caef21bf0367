import type { TObject, TSchema } from '@sinclair/typebox'
import { isFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { shellQuote } from '../text/shell.js'
import { sampleFiles } from './sample-files.js'

/** Values of parameters, by their names in the contracts. */
export type ExampleValues = Readonly<Record<string, string>>

/**
 * A call of an operation to paste into a shell, with the examples of its contract where `values` has no better ones;
 * its parts stand on lines of their own, or as `separator` says.
 */
export function curlLine(
  contract: Contract,
  base: string,
  token: string,
  separator = ' \\\n  ',
  values: ExampleValues = {},
): string {
  const textOf = (name: string, schema: TSchema | undefined) => values[name] ?? exampleOf(schema)
  const { method, form } = contract
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuote(`${base}${pathOf(contract, textOf)}${queryOf(contract, textOf)}`)}`,
    `-H ${shellQuote(`Authorization: Bearer ${token}`)}`,
    ...(form === undefined
      ? []
      : sentFields(form).map((name) => `-F ${shellQuote(field(name, form.properties[name] as TSchema, textOf))}`)),
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

type TextOf = (name: string, schema: TSchema | undefined) => string

function pathOf({ path, params }: Contract, textOf: TextOf): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(name, params.properties[name])))
}

function queryOf({ query: { properties, required = [] } }: Contract, textOf: TextOf): string {
  const given = required.map(
    (name) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(name, properties[name]))}`,
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}

function field(name: string, schema: TSchema, textOf: TextOf): string {
  if (!isFile(schema)) return `${name}=${textOf(name, schema)}`
  const mediaType: string = schema.contentMediaType
  return `${name}=@${sampleFiles[mediaType] ?? 'FILE'};type=${mediaType}`
}

export function exampleOf(schema: TSchema | undefined): string {
  return String(schema?.examples?.[0] ?? schema?.enum?.[0] ?? '')
}
