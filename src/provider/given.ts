import { access } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { isFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { checkOf } from '../check.js'
import { complainAbout, distinct, InvalidFiles, readSource } from '../source-file.js'
import type { Given } from './probes.js'

export type GivenByOperation = Readonly<Record<string, Given>>

/**
 * Reads the file of values that exist at the provider: `{ operationId: { params, query, form } }`; the paths of
 * files are relative to it.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readGiven(file: string, contracts: readonly Contract[]): Promise<GivenByOperation> {
  const source = await readSource(file)
  const data = source.data ?? {}
  const departures = distinct(checkOf(givenSchema(contracts))(data))
  if (departures.length > 0)
    throw new InvalidFiles(await Promise.all(departures.map((one) => complainAbout(source, one))))
  const { $schema: _, version: __, ...given } = data as Record<string, unknown>
  const resolved: Record<string, Given> = {}
  for (const { id, form } of contracts) {
    const own = (given as GivenByOperation)[id]
    if (own === undefined) continue
    const paths = Object.entries(own.form ?? {}).filter(([name]) => isFile(form?.properties[name] as TSchema))
    const files: Record<string, string> = {}
    for (const [name, path] of paths) {
      const found = resolve(dirname(file), String(path))
      const complaint = `The file '${path}' cannot be read: its path is relative to this file's folder.`
      files[name] = await access(found).then(
        () => found,
        async () => {
          throw new InvalidFiles([await source.complain([id, 'form', name], complaint)])
        },
      )
    }
    resolved[id] = own.form === undefined ? own : { ...own, form: { ...own.form, ...files } }
  }
  return resolved
}

const closed = { additionalProperties: false }

function givenSchema(contracts: readonly Contract[]): TObject {
  const operations = contracts.map(({ id, params, query, form }) => {
    const parts = Object.entries({ params, query, form })
      .filter((part): part is [string, TObject] => Object.keys(part[1]?.properties ?? {}).length > 0)
      .map(([name, { properties }]) => [name, Type.Optional(valuesSchema(Object.keys(properties)))])
    return [id, Type.Optional(Type.Object(Object.fromEntries(parts), closed))]
  })
  return Type.Object(
    {
      $schema: Type.Optional(Type.String()),
      version: Type.Optional(Type.Literal(1)),
      ...Object.fromEntries(operations),
    },
    closed,
  )
}

function valuesSchema(names: readonly string[]): TObject {
  const value = Type.Unsafe({ type: ['string', 'number', 'boolean'], 'x-allowed': 'text, a number, true or false' })
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(value)])), closed)
}
