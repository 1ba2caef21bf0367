import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { isFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { distinctDepartures, InvalidFiles, locateDeparture, readSource, type SourceFile } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import { checkOf } from '../validation/check.js'
import type { ProbeValues } from './probes.js'

export type GivenByOperation = Readonly<Record<string, ProbeValues>>

/**
 * Reads the file of values that exist at the provider: `{ operationId: { params, query, form } }`; the paths of
 * files are relative to it.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readDataFile(file: string, contracts: readonly Contract[]): Promise<GivenByOperation> {
  const source = await readSource(file)
  const data = source.data ?? {}
  const departures = distinctDepartures(checkOf(givenSchema(contracts))(data))
  if (departures.length > 0)
    throw new InvalidFiles(await Promise.all(departures.map((one) => locateDeparture(source, one))))
  const { $schema: _, version: __, ...given } = data as Record<string, unknown>
  const resolved: Record<string, ProbeValues> = {}
  for (const contract of contracts) {
    const own = (given as GivenByOperation)[contract.id]
    if (own !== undefined) resolved[contract.id] = await withPaths(own, contract, source)
  }
  return resolved
}

/** The files that a form carries must be there before anything is sent. */
async function withPaths(given: ProbeValues, { id, form }: Contract, source: SourceFile): Promise<ProbeValues> {
  const named = Object.entries(given.form ?? {}).filter(([name]) => isFile(form?.properties[name] as TSchema))
  const paths: Record<string, string> = {}
  for (const [name, path] of named) {
    const file = resolve(dirname(source.file), String(path))
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile()) {
      const message = `There is no file ${quote(path)}: paths are relative to this file's folder.`
      throw new InvalidFiles([await source.complain([id, 'form', name], message)])
    }
    paths[name] = file
  }
  return given.form === undefined ? given : { ...given, form: { ...given.form, ...paths } }
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
