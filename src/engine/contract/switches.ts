import type { TObject, TSchema } from '@sinclair/typebox'
import type { DataComplaint } from './complaint.js'
import type { Contract } from './contract.js'
import { closedObject } from './fields.js'
import { deepFreeze } from './freeze.js'

export type SwitchValues = Readonly<Record<string, unknown>>

export interface Switch {
  readonly schema: TSchema
  apply(contract: Contract, values: SwitchValues): Contract
  check?(value: unknown): readonly DataComplaint[]
  statuses?(contract: Contract): readonly number[]
}

export type Switches = Readonly<Record<string, Switch>>

export function switchesSchema(switches: Switches): TObject {
  return closedObject(Object.fromEntries(Object.entries(switches).map(([name, { schema }]) => [name, schema])))
}

export function defaultValues(switches: Switches): SwitchValues {
  const values = Object.entries(switches).map(([name, { schema }]) => [name, schema.default] as const)
  return deepFreeze(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
}

export function describeChangedSwitches(switches: Switches, values: SwitchValues): string[] {
  return Object.entries(switches).flatMap(([name, { schema }]) => {
    const text = describeSwitchValue(values[name])
    return text === describeSwitchValue(schema.default) ? [] : [`${name}: ${text}`]
  })
}

export function describeSwitchValue(value: unknown): string {
  const shown = value ?? "the operation's invalid status"
  return typeof shown === 'string' ? shown : JSON.stringify(shown)
}
