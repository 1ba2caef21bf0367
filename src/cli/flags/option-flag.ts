import type { TSchema } from '@sinclair/typebox'
import type { OptionName } from '../../../schemas/config.js'
import { optionTable } from '../../server/options.js'
import type { Flag } from './flag.js'

/** An option as a flag: the placeholder for its value, and what it does, with the allowed values and the default. */
export function optionFlag(name: OptionName, does?: string): Flag {
  const schema = optionTable[name]
  return {
    ...(schema.type !== 'boolean' && { value: schema['x-value'] as string }),
    does: does ?? `${schema.description}${values(schema)}${fallback(schema)}`,
  }
}

function values({ enum: all }: TSchema): string {
  return Array.isArray(all) ? ` [${all.join(' | ')}]` : ''
}

function fallback({ default: value }: TSchema): string {
  return value === undefined || value === false || Array.isArray(value) ? '' : ` (default ${value})`
}
