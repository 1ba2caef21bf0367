import type { TSchema } from '@sinclair/typebox'
import { formats } from '../../engine/contract/check.js'
import { type Cite, type LimitCites, statementsIn } from '../../engine/contract/cites.js'
import type { Contract } from '../../engine/contract/contract.js'
import { type BodyField, REMOVED } from './fields.js'
import type { AnsweredCall, MutantKind } from './mutant.js'

interface FieldOperator {
  readonly name: string
  readonly kind?: MutantKind
  /** Empty if the operator does not apply, or if the API document leaves the field open. */
  readonly cites: (field: BodyField, contract: Contract) => readonly Cite[]
  readonly change: (value: unknown, field: BodyField, call: AnsweredCall) => unknown
}

const OTHER_UUID = '00000000-0000-4000-8000-000000000000'
const TWO_HOURS = 2 * 60 * 60 * 1_000

const citesOfField: FieldOperator['cites'] = ({ schema }) => citedStatements(schema)
const citesOfList: FieldOperator['cites'] = ({ schema }) => (schema.type === 'array' ? citedStatements(schema) : [])
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

export const fieldOperators: readonly FieldOperator[] = [
  {
    name: 'left-out',
    cites: ({ schema, required }) => (required ? citedStatements(schema) : []),
    change: () => REMOVED,
  },
  { name: 'null', cites: citesOfField, change: () => null },
  {
    name: 'other-type',
    cites: citesOfField,
    change: (value) => {
      if (isList(value)) return { 0: value[0] }
      if (typeof value === 'object') return JSON.stringify(value)
      return typeof value === 'string' ? 17 : String(value)
    },
  },
  {
    name: 'other-form',
    cites: ({ schema }) => (schema.format === 'date-time' ? [] : citedStatements(schema, 'format')),
    change: () => '{not so',
  },
  {
    name: 'local-time',
    cites: ({ schema }) => (schema.format === 'date-time' ? citedStatements(schema, 'format') : []),
    change: (value) => new Date(Date.parse(String(value)) + TWO_HOURS).toISOString().replace('Z', ''),
  },
  {
    name: 'other-value',
    cites: ({ schema }) => citedStatements(schema, 'enum'),
    change: (value, { schema: { enum: values = [] } }) =>
      values.length === 1 ? `not-${value}` : values[(values.indexOf(value) + 1) % values.length],
  },
  {
    name: 'not-as-sent',
    cites: (field, contract) => {
      const parameter = parameterOf(field, contract)
      const fieldCites = citedStatements(field.schema)
      if (parameter === undefined || fieldCites.length === 0) return []
      return [...fieldCites, ...citedStatements(parameter.schema)]
    },
    change: (value, field, { contract, sent }) => {
      const name = parameterOf(field, contract)?.name
      return name !== undefined && String(sent[name]) === String(value) ? differentFrom(value) : value
    },
  },
  { name: 'empty-list', cites: citesOfList, change: () => [] },
  {
    name: 'last-gone',
    kind: 'order and pages',
    cites: citesOfList,
    change: (value) => (isList(value) && value.length > 1 ? value.slice(0, -1) : value),
  },
  {
    name: 'reversed',
    kind: 'order and pages',
    cites: ({ schema }, contract) => {
      const order = orderParameterOf(contract)
      return schema.type === 'array' && order !== undefined ? citedStatements(order.schema) : []
    },
    change: (value, _, { contract, sent }) => {
      const order = orderParameterOf(contract)
      return isList(value) && order !== undefined && sent[order.name] !== undefined ? value.toReversed() : value
    },
  },
  {
    name: 'one-more',
    kind: 'order and pages',
    cites: ({ path, schema }, { paging }) => (path.join('.') === paging?.total ? citedStatements(schema) : []),
    change: (value) => Number(value) + 1,
  },
]

export function citedStatements(schema: TSchema, limit?: keyof LimitCites): readonly Cite[] {
  return statementsIn(limit === undefined ? schema['x-cites'] : schema['x-limit-cites']?.[limit])
}

/** The parameter that a field repeats; for `id`, the path's last variable. */
function parameterOf({ path }: BodyField, { params, query, form }: Contract) {
  const field = path.at(-1) ?? ''
  const name = field === 'id' ? (Object.keys(params.properties).at(-1) ?? '') : field
  const schemas: Readonly<Record<string, TSchema>> = { ...query.properties, ...form?.properties, ...params.properties }
  return schemas[name] && { name, schema: schemas[name] }
}

function orderParameterOf({ query }: Contract) {
  return Object.entries<TSchema>(query.properties)
    .map(([name, schema]) => ({ name, schema }))
    .find(({ schema: { enum: values = [] } }) => values.includes('asc') && values.includes('desc'))
}

function differentFrom(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  return formats.uuid.test(String(value)) ? OTHER_UUID : `${value}-2`
}
