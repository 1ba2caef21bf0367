import schema from '../../../../schemas/json/fixtures.schema.json' with { type: 'json' }
import { references } from '../../../world/state/collections.js'
import type { StateRecord } from '../../shapes.js'

/** What is known of a field from the schema of fixtures. */
interface FieldSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly items?: FieldSchema
}

/** A field of the records of a collection. */
export interface FieldOf {
  /** Its names from the record inwards. */
  readonly path: readonly string[]
  readonly kind: 'text' | 'number' | 'choice' | 'choices' | 'json'
  /** What it can be, of a choice. */
  readonly choices: readonly string[]
  /** Such as `email` or `date-time`. */
  readonly hint: string
  readonly required: boolean
  readonly description: string | undefined
  /** The collection whose records it refers to. */
  readonly refersTo: string | undefined
}

/** The fields that records of a collection may have. */
export function fieldsOf(collection: string): readonly FieldOf[] {
  const { properties } = schema as { readonly properties: Readonly<Record<string, FieldSchema>> }
  return fieldsIn(collection, properties[collection]?.items ?? {}, [])
}

function fieldsIn(collection: string, { properties = {}, required = [] }: FieldSchema, above: string[]): FieldOf[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = [...above, name]
    if (field.properties !== undefined) return fieldsIn(collection, field, path)
    const choices = field.enum ?? field.items?.enum ?? []
    return {
      path,
      kind: kindOf(field),
      choices,
      hint: field.format ?? (field.type === 'string' ? 'text' : (field.type ?? '')),
      required: required.includes(name),
      description: field.description,
      refersTo: references.find(({ from, field: its }) => from === collection && its === name)?.to,
    }
  })
}

function kindOf({ type, enum: choices, items }: FieldSchema): FieldOf['kind'] {
  if (choices !== undefined) return 'choice'
  if (items?.enum !== undefined) return 'choices'
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'string' ? 'text' : 'json'
}

export function valueAt(record: StateRecord, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as StateRecord | undefined)?.[name], record)
}

/** A record with another value at a path; undefined takes the field out. */
export function withValue(record: StateRecord, [name = '', ...rest]: readonly string[], value: unknown): StateRecord {
  const put = rest.length === 0 ? value : withValue((record[name] as StateRecord | undefined) ?? {}, rest, value)
  const changed = { ...record, [name]: put }
  if (put === undefined) delete changed[name]
  return changed
}
