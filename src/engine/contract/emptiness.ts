import { type TSchema, Type } from '@sinclair/typebox'
import type { Cites } from './cites.js'
import { NOT_BLANK } from './fields.js'

export function isAbsentWhenEmpty(schema: TSchema): boolean {
  return schema['x-absent'] === true
}

/** An optional text field: if empty, it is treated as not sent (I-20), because HTML forms send unused fields empty. */
export function optionalText<S extends TSchema>(schema: S) {
  const switches = ['emptyFields', ...(schema['x-switches'] ?? [])] as const
  return Type.Optional({ ...absentWhenEmpty(schema, ['I-20']), 'x-switches': switches })
}

export function absentWhenEmpty<S extends TSchema>(schema: S, cites: Cites): S {
  return { ...allowEmpty(schema, cites), 'x-absent': true }
}

const EMPTY_OR = '^$|'

export function allowEmpty<S extends TSchema>(schema: S, cites: Cites): S {
  const { minLength: _, pattern, ...rest } = schema as TSchema & { minLength?: number; pattern?: string }
  const { minLength: __, ...limits } = rest['x-limits'] ?? {}
  const cited = { ...rest, 'x-cites': [...new Set([...(rest['x-cites'] ?? []), ...cites])], 'x-limits': limits }
  if (pattern === undefined) return cited as unknown as S
  if (pattern !== NOT_BLANK)
    return { ...cited, pattern: EMPTY_OR + pattern, 'x-allowed': 'text without control characters' } as unknown as S
  const { pattern: ___, ...others } = limits
  return { ...cited, 'x-limits': others, 'x-allowed': 'text' } as unknown as S
}

export function forbidEmpty<S extends TSchema>(schema: S, cites: Cites): S {
  const { 'x-absent': _, 'x-allowed': __, pattern, ...rest } = schema as TSchema & { pattern?: string }
  return {
    ...rest,
    ...(pattern !== undefined && { pattern: pattern.replace(EMPTY_OR, '') }),
    minLength: 1,
    'x-limits': { ...rest['x-limits'], minLength: cites },
  } as unknown as S
}
