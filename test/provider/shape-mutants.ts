import type { TSchema } from '@sinclair/typebox'
import { type Cite, citesOf } from '../../schemas/cites.js'
import { type Contract, isRead, isSuccess } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import type { Mutant, Told } from './mutating-provider.js'

const WRONG: readonly [name: string, change: (owner: Told['body'], key: string) => void][] = [
  [
    'is missing',
    (owner, key) => {
      delete owner[key]
    },
  ],
  [
    'has another type',
    (owner, key) => {
      owner[key] = typeof owner[key] === 'string' ? 17 : String(owner[key])
    },
  ],
]

/** Every documented property of every success body, left out and with another type. */
export const shapeMutants: readonly Mutant[] = (contracts as readonly Contract[]).flatMap((contract) => {
  const success = contract.responses[200]
  if (!isSuccess(success)) return []
  return properties(success.schema).flatMap(({ path, cite }) =>
    WRONG.map(
      ([name, change]): Mutant => ({
        name: `${contract.id}: ${path.join('.')} ${name}`,
        cites: [cite],
        operation: contract.id,
        ...(!isRead(contract) && { writes: 'Only a call that is carried out shows it.' }),
        tell: (told) => {
          if (told.status === 200) each(told.body, path, change)
        },
      }),
    ),
  )
})

function properties(
  schema: TSchema,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly cite: Cite }[] {
  if (schema.type === 'array') return properties(schema.items, [...path, '*'])
  return Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, property]) => {
    const cite = citesOf(property)?.[0]
    const own = cite?.startsWith('S') ? [{ path: [...path, name], cite }] : []
    return [...own, ...properties(property, [...path, name])]
  })
}

function each(
  value: Told['body'],
  [first = '', ...rest]: readonly string[],
  change: (owner: Told['body'], key: string) => void,
): void {
  if (first === '*') for (const item of value) each(item, rest, change)
  else if (rest.length === 0) change(value, first)
  else each(value[first], rest, change)
}
