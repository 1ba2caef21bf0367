import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type TObject, Type } from '@sinclair/typebox'
import { type Contract, fileFieldsOf } from '../../engine/contract/contract.js'
import { partial } from '../../engine/contract/fields.js'
import { isObject } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import { InvalidFiles } from '../../engine/files/invalid-files.js'
import { readSource } from '../../engine/files/source-file.js'
import { validateSource } from '../../engine/files/validate-source.js'
import type { DataFile } from './calls.js'
import type { VerifyFacts } from './session.js'

/** @throws {InvalidFiles} with complaints */
export async function readDataFile(file: string, contracts: readonly Contract[], facts: VerifyFacts) {
  const source = await readSource(file)
  const data = source.data ?? {}
  await validateSource(source, dataSchema(contracts, facts), data)
  const { $schema: _, version: __, ...operations } = stringifyValues(data) as Record<string, unknown> & DataFile
  for (const contract of contracts) {
    const fields: Record<string, string> = operations[contract.id]?.form ?? {}
    for (const name of Object.keys(fields).filter((one) => fileFieldsOf(contract).has(one))) {
      const path = fields[name] as string
      fields[name] = resolve(dirname(source.file), path)
      const stats = await stat(fields[name]).catch(() => undefined)
      if (stats?.isFile()) continue
      const message = `There is no file ${quote(path)}. Paths are relative to the folder of this file.`
      throw new InvalidFiles([await source.complain([contract.id, 'form', name], message)])
    }
  }
  return operations
}

function stringifyValues(value: unknown): unknown {
  if (!isObject(value)) return String(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, stringifyValues(inner)]))
}

const SCALAR = Type.Unsafe({ type: ['string', 'number', 'boolean'], 'x-allowed': 'text, a number, true or false' })

function dataSchema(contracts: readonly Contract[], facts: VerifyFacts): TObject {
  const operations = contracts.map(({ id, params, query, form }) => {
    const parts = Object.entries({ params, query, form }).flatMap(([name, part]) => {
      const values = Object.keys(part?.properties ?? {}).map((key) => [key, SCALAR])
      return values.length === 0 ? [] : [[name, partial(Object.fromEntries(values))]]
    })
    return [id, partial({ ...Object.fromEntries(parts), ...facts.operations[id]?.data })]
  })
  return partial({ $schema: Type.String(), version: Type.Literal(1), ...Object.fromEntries(operations) })
}
