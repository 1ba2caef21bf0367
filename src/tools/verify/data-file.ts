import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { Contract } from '../../engine/contract/contract.js'
import { isFile } from '../../engine/contract/fields.js'
import { isObject } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import { InvalidFiles } from '../../engine/files/invalid-files.js'
import { readSource } from '../../engine/files/source-file.js'
import { requireSchema } from '../../engine/files/validate-source.js'
import { type DataFile, PLAIN } from './calls.js'
import { knowledge } from './knowledge.js'

/** @throws {InvalidFiles} with every complaint about the file of `--data` */
export async function readDataFile(file: string, contracts: readonly Contract[]): Promise<DataFile> {
  const source = await readSource(file)
  const data = source.data ?? {}
  await requireSchema(source, dataSchema(contracts), data)
  const { $schema: _, version: __, ...operations } = withTexts(data) as Record<string, unknown> & DataFile
  for (const { id, form } of contracts) {
    const fields: Record<string, string> = operations[id]?.form ?? {}
    for (const name of Object.keys(fields).filter((one) => isFile(form?.properties[one] as TSchema))) {
      const path = fields[name] as string
      const found = await stat(resolve(dirname(source.file), path)).catch(() => undefined)
      if (!found?.isFile()) {
        const message = `There is no file ${quote(path)}. Paths are relative to the folder of this file.`
        throw new InvalidFiles([await source.complain([id, 'form', name], message)])
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

function dataSchema(contracts: readonly Contract[]): TObject {
  const operations = contracts.map(({ id, params, query, form }) => {
    const parts = Object.entries({ params, query, form }).flatMap(([name, part]) => {
      const values = Object.keys(part?.properties ?? {}).map((one) => [one, PLAIN])
      return values.length === 0 ? [] : [[name, optional(Object.fromEntries(values))]]
    })
    return [id, optional({ ...Object.fromEntries(parts), ...knowledge[id]?.data })]
  })
  return optional({ $schema: Type.String(), version: Type.Literal(1), ...Object.fromEntries(operations) })
}

function optional(properties: Readonly<Record<string, TSchema>>): TObject {
  return Type.Partial(Type.Object(properties), { additionalProperties: false })
}
