import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { email, isFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { InvalidFiles } from '../text/invalid-files.js'
import { isObject } from '../text/json.js'
import { readSource } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import { requireSchema } from '../validation/require-schema.js'
import type { DataFile } from './calls.js'

/**
 * Reads the file of values that exist at the provider: `{ operationId: { params, query, form } }`; the paths of
 * files are relative to it.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readDataFile(file: string, contracts: readonly Contract[]): Promise<DataFile> {
  const source = await readSource(file)
  const data = source.data ?? {}
  await requireSchema(source, dataSchema(contracts), data)
  const { $schema: _, version: __, ...operations } = withTexts(data) as Record<string, unknown> & DataFile
  for (const { id, form } of contracts) {
    // The files that a form carries must be there before anything is sent.
    const fields: Record<string, string> = operations[id]?.form ?? {}
    for (const name of Object.keys(fields).filter((one) => isFile(form?.properties[one] as TSchema))) {
      const path = fields[name] as string
      const found = await stat(resolve(dirname(source.file), path)).catch(() => undefined)
      if (!found?.isFile()) {
        const message = `There is no file ${quote(path)}. Paths are relative to the folder of this file.`
        throw new InvalidFiles([await source.complain('reference', [id, 'form', name], message)])
      }
      fields[name] = resolve(dirname(source.file), path)
    }
  }
  return operations
}

function withTexts(value: unknown): unknown {
  if (!isObject(value)) return String(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withTexts(inner)]))
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
