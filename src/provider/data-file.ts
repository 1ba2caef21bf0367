import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { email, isFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { UnusableFiles } from '../text/invalid-files.js'
import { readSource, type SourceFile } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import { requireSchema } from '../validation/explain.js'
import type { DataFile, ProbeValues } from './calls.js'

/**
 * Reads the file of values that exist at the provider: `{ operationId: { params, query, form } }`; the paths of
 * files are relative to it.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readDataFile(file: string, contracts: readonly Contract[]): Promise<DataFile> {
  const source = await readSource(file)
  const data = source.data ?? {}
  await requireSchema(source, dataSchema(contracts), data)
  const { $schema: _, version: __, ...byOperation } = data as Record<string, unknown>
  const resolved: Record<string, ProbeValues> = {}
  for (const contract of contracts) {
    const own = (byOperation as DataFile)[contract.id]
    if (own !== undefined) resolved[contract.id] = await withPaths(own, contract, source)
  }
  return resolved
}

/** The files that a form carries must be there before anything is sent. */
async function withPaths(values: ProbeValues, { id, form }: Contract, source: SourceFile): Promise<ProbeValues> {
  const named = Object.entries(values.form ?? {}).filter(([name]) => isFile(form?.properties[name] as TSchema))
  const paths: Record<string, string> = {}
  for (const [name, path] of named) {
    const file = resolve(dirname(source.file), String(path))
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile()) {
      const message = `There is no file ${quote(path)}. Paths are relative to the folder of this file.`
      throw new UnusableFiles([await source.complain('reference', [id, 'form', name], message)])
    }
    paths[name] = file
  }
  return values.form === undefined ? values : { ...values, form: { ...values.form, ...paths } }
}

const closed = { additionalProperties: false }

const PLAIN = Type.Unsafe({ type: ['string', 'number', 'boolean'], 'x-allowed': 'text, a number, true or false' })

/** What else can be named of an operation: what its refusals are about. */
const EXTRAS: Readonly<Record<string, Readonly<Record<string, TSchema>>>> = {
  addOrganizationMember: {
    member: Type.Optional(email({ description: 'Someone who is already a member.' })),
  },
  updateSubOrganizationMember: {
    foreign: Type.Optional(valuesSchema(['subOrganizationUuid', 'subOrgMemberId'])),
  },
}

function dataSchema(contracts: readonly Contract[]): TObject {
  const operations = contracts.map(({ id, params, query, form }) => {
    const parts = Object.entries({ params, query, form })
      .filter((part): part is [string, TObject] => Object.keys(part[1]?.properties ?? {}).length > 0)
      .map(([name, { properties }]) => [name, Type.Optional(valuesSchema(Object.keys(properties)))])
    return [id, Type.Optional(Type.Object({ ...Object.fromEntries(parts), ...EXTRAS[id] }, closed))]
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
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(PLAIN)])), closed)
}
